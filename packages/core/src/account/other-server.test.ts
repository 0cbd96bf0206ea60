import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import { strangeRow } from '../../test/strange-row.ts'
import { evolve } from './evolve.ts'
import { NOT_BEGUN } from './limits/first-days.ts'
import { outlook } from './outlook.ts'
import type { Execution, Stop } from './types.ts'

/** An order at the broker that this server did not make. */
const row = (desk: Desk, over: Partial<Execution> = {}): Execution =>
  strangeRow({ side: 'sell', count: 2, price: 70_900, orderedAt: desk.now - 600_000, ...over })

const suspected = (desk: Desk): string | null => desk.account.book.otherServer.suspected?.text ?? null
const codes = (desk: Desk): string[] => outlook(desk.account, desk.ctx, CODE).reasons.map((reason) => reason.code)

/** Two shares at 70,000 that are to be sold at 70,900, as after a start: nothing of ours rests. */
const starting = (): Desk => {
  const desk = new Desk({ autoBuy: false, sellPercent: 1.2 }).hold([1, 2, 70_000])
  desk.do({ kind: 'linked' })
  return desk
}

describe('an order of somebody else', () => {
  test.each<[string, Partial<Execution>, boolean]>([
    ['is the very sale that the settings ask for', {}, true],
    ['is filled in part already', { filledCount: 1 }, true],
    ['has no time', { orderedAt: null }, true],
    ['is of another price', { price: 71_000 }, false],
    ['is of another count', { count: 3 }, false],
    ['buys', { side: 'buy' }, false],
    ['is of another stock', { code: '035720' }, false],
    ['was cancelled', { cancelled: true }, false],
    ['has filled long ago', { filledCount: 2 }, false],
    ['is a changed one, which Digger never makes', { originalOdno: '0000000899' }, false],
    ['has no price', { price: 0 }, false],
    ['is of yesterday', { day: '20261115' }, false],
  ])('that %s, seen at the start: %#', (_, over, stops) => {
    const desk = starting()
    desk.read([row(desk, over)], [[2, 70_000]])
    expect(suspected(desk) !== null).toBe(stops)
    expect(desk.sent.length).toBe(0)
  })

  test('equal to a resting sale of ours stops everything, and says what and what to do', () => {
    const desk = starting()
    desk.read([], [[2, 70_000]]).timer()
    expect(desk.sent).toEqual([1])
    desk.accept(1).wait(120_000)
    desk.read([desk.row(1), row(desk)])
    expect(suspected(desk)).toContain('삼성전자 2주를 70,900원에 파는 0000000900번 주문이 증권사에 있습니다.')
    expect(suspected(desk)).toContain('‘계속하기’를 눌러 주세요')
    expect(desk.facts.map(({ kind }) => kind)).toContain('otherServerSuspected')
    // What rests stays.
    expect(desk.cancels).toEqual([])
  })

  test('that buys what ours sells is none of ours', () => {
    const desk = starting()
    desk.read([], [[2, 70_000]]).timer()
    desk.accept(1)
    expect(suspected(desk.wait(2_000).read([desk.row(1), row(desk, { side: 'buy' })]))).toBe(null)
    expect(
      suspected(
        desk.wait(2_000).read([desk.row(1), row(desk, { odno: '0000000901', side: 'buy', orderedAt: desk.now })]),
      ),
    ).toBe(null)
  })

  test('equal to a person’s resting sale is the person’s', () => {
    const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000]).quote(70_000)
    desk.ask({ kind: 'sellAtPrice', code: CODE, price: 70_900, slices: 1 })
    desk.accept(1).wait(120_000)
    expect(suspected(desk.read([desk.row(1), row(desk)]))).toBe(null)
    expect(
      suspected(desk.read([desk.row(1), row(desk, { odno: '0000000901', orderedAt: desk.order(1).createdAt })])),
    ).toBe(null)
  })

  test.each<[string, Partial<Execution>, boolean]>([
    ['the buy that the rule makes at this price', {}, true],
    ['another price', { price: 68_900 }, false],
    ['another count', { count: 2 }, false],
  ])('resting at %s', (_, over, stops) => {
    // An empty ladder, and 69,000 won a buy.
    const desk = new Desk({ autoSell: false, buyUnitPrice: 69_000 }).quote(69_000)
    desk.read([row(desk, { side: 'buy', count: 1, price: 69_000, ...over })])
    expect(suspected(desk) !== null).toBe(stops)
  })

  test.each([1, 2])('in the first days it is one share that the rule buys: %i', (count) => {
    const desk = new Desk({ autoSell: false, buyUnitPrice: 200_000 }).quote(69_000)
    desk.putFacts({ kind: 'firstDaysSet', firstDays: { on: true, days: 5, amount: 10_000_000, ...NOT_BEGUN }, at: 0 })
    desk.read([row(desk, { side: 'buy', count, price: 69_000 })])
    expect(suspected(desk) !== null).toBe(count === 1)
  })

  test('of a stock in the shadow it is no twin: nothing of it leaves here', () => {
    const desk = starting()
    desk.ask({ kind: 'setShadow', code: CODE, shadow: true })
    expect(suspected(desk.read([row(desk)], [[2, 70_000]]))).toBe(null)
  })

  test('without a price nobody knows what the rule would buy', () => {
    const desk = new Desk({ autoSell: false, buyUnitPrice: 69_000 })
    expect(suspected(desk.read([row(desk, { side: 'buy', count: 1, price: 69_000 })]))).toBe(null)
  })

  test.each<[string, number | null, boolean]>([
    ['in the same moment', 0, true],
    ['half a minute before', -30_000, true],
    ['half a minute after', 30_000, true],
    ['longer after', 30_001, false],
    ['nobody knows when', null, false],
  ])('filled as ours was, made %s', (_, after, stops) => {
    const desk = new Desk({ autoSell: false }).buy(70_000)
    const { createdAt, count, price } = desk.order(1)
    const ours = desk.row(1, { filledCount: count, remainingCount: 0 })
    const orderedAt = after === null ? null : createdAt + after
    desk.wait(120_000).read([ours, row(desk, { side: 'buy', count, price, filledCount: count, orderedAt })])
    expect(suspected(desk) !== null).toBe(stops)
  })
})

describe('what is ours is no sign', () => {
  test('an order whose reply was lost', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).lose(1)
    const { count, price } = desk.order(1)
    const found = row(desk, { side: 'buy', count, price, orderedAt: desk.now })
    for (let i = 0; i < 5; i += 1) desk.wait(15_000).read([found])
    expect([suspected(desk), desk.order(1).odno]).toEqual([null, '0000000900'])
  })

  test('one that was given up and appears beside the one made in its place', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).lose(1)
    const { count, price } = desk.order(1)
    const late = row(desk, { side: 'buy', count, price, orderedAt: desk.now })
    for (let i = 0; i < 4; i += 1) desk.wait(15_000).read([])
    expect(desk.order(1).status).toBe('notPlaced')
    desk.wait(60_000).buyAt(70_000)
    const [second] = desk.sent
    expect(second).toBeGreaterThan(1)
    desk.accept(second ?? 0).wait(5_000)
    desk.read([late, desk.row(second ?? 0)])
    expect([suspected(desk), desk.stock.blocked?.code]).toEqual([null, 'ambiguous'])
  })
})

/** It seems that another server trades the account. */
const halted = (): Desk => {
  const desk = starting()
  return desk.read([row(desk)], [[2, 70_000]])
}

describe('while it is suspected', () => {
  test('nothing leaves, automatic or by a person, and the reason is the first that is read', () => {
    const desk = halted().quote(70_000)
    expect(desk.timer().sent).toEqual([])
    expect(desk.ask({ kind: 'sellAtMarket', code: CODE })).toMatchObject({
      code: 'STOPPED',
      text: suspected(desk),
    })
    expect(codes(desk)).toContain('otherServer')
    expect(desk.sent).toEqual([])
  })

  test('orders may be cancelled', () => {
    const desk = starting()
    desk.read([], [[2, 70_000]]).timer()
    desk.accept(1).wait(120_000)
    desk.read([desk.row(1), row(desk)])
    expect(desk.ask({ kind: 'cancelOrders', code: null })).toMatchObject({ ok: true })
    expect(desk.cancels).toEqual([1])
  })

  test('more signs are kept beside the first, whose words stay; the same one is no news', () => {
    const desk = halted()
    const text = suspected(desk)
    desk.wait(2_000).read([row(desk)])
    expect(desk.facts).toEqual([])
    desk.wait(2_000).read([row(desk), row(desk, { odno: '0000000901' })])
    expect(suspected(desk)).toBe(text)
    expect(desk.account.book.otherServer.suspected?.signs).toEqual([`${DAY} 0000000900`, `${DAY} 0000000901`])
  })

  test('a new day does not lift it', () => {
    const desk = halted()
      .wait(24 * 3_600_000)
      .timer()
    expect([desk.account.book.day, suspected(desk) !== null]).toEqual(['20261117', true])
  })
})

/** Its person was asked, and let it go on. */
const goneOn = (): Desk => {
  const desk = starting()
  desk.read([row(desk)], [[2, 70_000]])
  expect(desk.ask({ kind: 'dismissOtherServer' })).toMatchObject({ ok: true })
  return desk
}

describe('a person who goes on', () => {
  test('lets orders leave, and is not asked again for the same ones', () => {
    // Two of four shares are locked in the other order.
    const desk = goneOn().hold([2, 2, 71_000]).timer()
    expect(desk.live).toEqual(['1 sell 2 @ 70900 of 1 intended'])
    for (let i = 0; i < 3; i += 1) expect(suspected(desk.wait(15_000).read([row(desk)]))).toBe(null)
  })

  test('is asked for another', () => {
    const desk = goneOn()
    expect(suspected(desk.wait(2_000).read([row(desk), row(desk, { odno: '0000000901' })]))).toContain('0000000901')
  })

  test('is not asked later for what rested at the broker by then, whatever the settings become', () => {
    const desk = starting()
    const other = row(desk, { odno: '0000000901', price: 70_500 })
    desk.read([row(desk), other], [[2, 70_000]])
    desk.ask({ kind: 'dismissOtherServer' })
    desk.settings({ sellPercent: 0.7 })
    expect(suspected(desk.wait(2_000).read([row(desk), other]))).toBe(null)
  })

  test('is asked anew on another day, whose order numbers are others', () => {
    const desk = goneOn()
      .wait(24 * 3_600_000)
      .timer()
    expect(desk.account.book.otherServer).toEqual({ suspected: null, known: [] })
  })

  test('without a question changes nothing', () => {
    const desk = starting()
    expect(desk.ask({ kind: 'dismissOtherServer' })).toMatchObject({ ok: true })
    expect(desk.facts).toEqual([])
  })
})

describe('another connection that holds the key', () => {
  test('stops the account once, until its person goes on, and not again that day', () => {
    const desk = starting().do({ kind: 'keyHeld' })
    expect(suspected(desk)).toContain('앱키')
    expect(desk.do({ kind: 'keyHeld' }).facts).toEqual([])
    desk.ask({ kind: 'dismissOtherServer' })
    expect(suspected(desk.wait(60_000).do({ kind: 'keyHeld' }))).toBe(null)
    // Nor after another question.
    desk.read([row(desk)], [[2, 70_000]])
    expect(suspected(desk)).toContain('0000000900')
    desk.ask({ kind: 'dismissOtherServer' })
    expect(suspected(desk.do({ kind: 'keyHeld' }))).toBe(null)
    expect(suspected(desk.wait(24 * 3_600_000).do({ kind: 'keyHeld' }))).toContain('앱키')
  })
})

test('no stop of a person is changed by a suspicion, nor by its end, whatever happens in whatever order', () => {
  const stop = fc.constantFrom<Stop>('active', 'reduce', 'halt')
  const event = fc.oneof(
    fc.record({ kind: fc.constant('stop' as const), stop }),
    fc.record({ kind: fc.constant('read' as const), odno: fc.integer({ min: 900, max: 903 }) }),
    fc.constant({ kind: 'key' as const }),
    fc.constant({ kind: 'goOn' as const }),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (events) => {
      const desk = starting()
      let wanted: Stop = 'active'
      const known = new Set<string>()
      for (const one of events) {
        desk.wait(2_000)
        const asked = suspected(desk) !== null
        if (one.kind === 'stop') {
          wanted = one.stop
          desk.ask({ kind: 'setStop', level: 'user', code: null, stop: one.stop })
        } else if (one.kind === 'read')
          desk.read([row(desk, { odno: String(one.odno).padStart(10, '0') })], [[2, 70_000]])
        else if (one.kind === 'key') desk.do({ kind: 'keyHeld' })
        else desk.ask({ kind: 'dismissOtherServer' })
        expect(desk.account.book.stop).toBe(wanted)
        // Only its person ends it.
        expect(suspected(desk) !== null || one.kind === 'goOn' || !asked).toBe(true)
        if (one.kind === 'goOn' && asked) for (const sign of desk.account.book.otherServer.known) known.add(sign)
        const { signs = [] } = desk.account.book.otherServer.suspected ?? {}
        expect(signs.filter((sign) => known.has(sign))).toEqual([])
        const sent = suspected(desk) === null ? [] : desk.timer().sent
        expect(sent).toEqual([])
      }
      // The journal alone gives the same answer.
      const again = desk.journal.reduce(evolve, { ...desk.account.book, otherServer: { suspected: null, known: [] } })
      expect(again.otherServer).toEqual(desk.account.book.otherServer)
    }),
  )
})
