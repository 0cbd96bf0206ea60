import { describe, expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { strangeRow } from '../../test/strange-row.ts'
import { restoredAt, restoredSign, restoredText, wasRestored } from './other-server-state.ts'
import { outlook } from './outlook.ts'
import type { Execution } from './types.ts'

const QUESTION = restoredText('2026-11-16 05:30')

/** An order of the server of before, or of a phone. */
const row = (desk: Desk, over: Partial<Execution> = {}): Execution =>
  strangeRow({ side: 'sell', count: 2, price: 99_000, orderedAt: desk.now - 3_600_000, ...over })

type Held = readonly [count: number, averagePrice: number][]

/** Two shares at 70,000, to be sold at 70,900, in a book that was put back just now; what the broker has. */
function restored(rows: (desk: Desk) => Execution[] = () => [], held: Held = [[2, 70_000]], settings = {}): Desk {
  const desk = new Desk({ autoBuy: false, sellPercent: 1.2, ...settings }).hold([1, 2, 70_000])
  desk.putFacts({ kind: 'otherServerSuspected', at: desk.now, signs: [restoredSign(desk.now)], text: QUESTION })
  desk.do({ kind: 'linked' }).wait(2_000).read(rows(desk), held)
  return desk
}

const goOn = (desk: Desk, connected = true) => desk.ask({ kind: 'dismissOtherServer', connected })
const reasons = (desk: Desk): string => JSON.stringify(outlook(desk.account, desk.ctx, CODE).reasons)

describe('a book that was put back', () => {
  test('sends nothing, whoever lets the server go on, and says where it is from', () => {
    const desk = restored().quote(70_000)
    expect(desk.timer().sent).toEqual([])
    expect(desk.ask({ kind: 'sellAtMarket', code: CODE })).toMatchObject({ code: 'STOPPED', text: QUESTION })
    expect(desk.wait(24 * 3_600_000).timer().sent).toEqual([])
    expect(restoredAt(desk.account.book.otherServer)).not.toBe(null)
  })

  test('goes on where nothing happened since, once its person says so', () => {
    const desk = restored()
    expect(goOn(desk)).toMatchObject({ ok: true })
    expect(desk.timer().live).toEqual(['1 sell 2 @ 70900 of 1 intended'])
    expect(wasRestored(desk.account.book.otherServer)).toBe(true)
  })

  test('is held against the list every quarter of a minute though no order of it rests', () => {
    const desk = restored()
    expect(desk.wait(14_000).timer().reads).toBe(0)
    expect(desk.wait(1_000).timer().reads).toBe(1)
    const other = new Desk({ autoBuy: false })
    expect(other.wait(15_000).timer().reads).toBe(0)
  })
})

/** A resting sale and a resting buy of the book that is put back then. */
function restingOrders(): Desk {
  const desk = new Desk({ sellPercent: 1.2, buyUnitPrice: 70_000 }).hold([1, 2, 70_000])
  desk
    .do({ kind: 'linked' })
    .wait(2_000)
    .read([], [[2, 70_000]])
    .timer()
  desk.accept(1).wait(1_000).buyAt(65_000)
  desk.accept(2)
  desk.putFacts({ kind: 'otherServerSuspected', at: desk.now, signs: [restoredSign(desk.now)], text: QUESTION })
  return desk
}
const readBoth = (desk: Desk) => desk.read([desk.row(1), desk.row(2)], [[2, 70_000]])

describe('what it has at the broker', () => {
  test('stays as it is, for the server of before may want it so; once it goes on the rules decide', () => {
    const desk = restingOrders()
    // Of a sale at another target, and a buy that waits too long.
    desk.putFacts({
      kind: 'settingsSaved',
      code: CODE,
      at: desk.now,
      settings: { ...desk.stock.settings, sellPercent: 2 },
    })
    for (let looks = 0; looks < 20; looks += 1) {
      readBoth(desk.wait(15_000))
      expect([...desk.cancels, ...desk.timer().cancels]).toEqual([])
    }
    expect(goOn(readBoth(desk))).toMatchObject({ ok: true })
    expect(desk.timer().cancels.toSorted((a, b) => a - b)).toEqual([1, 2])
  })

  test('is cancelled where its person asks for it', () => {
    const desk = readBoth(restingOrders().wait(2_000))
    desk.ask({ kind: 'cancelOrders', code: null })
    expect(desk.cancels).toEqual([1, 2])
  })
})

describe('it does not go on', () => {
  test.each<[string, (desk: Desk) => unknown, RegExp]>([
    ['before book and broker were compared', (desk) => desk.do({ kind: 'linked' }), /아직 읽지 못했습니다/],
    ['without the key', (desk) => desk.do({ kind: 'authorised', authorised: false }), /아직 읽지 못했습니다/],
    ['on a list of long ago', (desk) => desk.wait(60_001), /아직 읽지 못했습니다/],
    [
      'while a difference was seen once only',
      (desk) =>
        desk
          .do({ kind: 'linked' })
          .wait(1_000)
          .read([], [[3, 70_000]]),
      /한 번 더 확인/,
    ],
    [
      'beside an order made since then',
      (desk) => desk.wait(30_000).read([row(desk, { orderedAt: desk.now - 10_000 })]),
      /원래 서버가 아직 살아 있습니다/,
    ],
    [
      'beside one that is over by now',
      (desk) => desk.wait(30_000).read([row(desk, { orderedAt: desk.now - 10_000, cancelled: true })]),
      /원래 서버가 아직 살아 있습니다/,
    ],
  ])('%s', (_, happen, why) => {
    const desk = restored()
    happen(desk)
    expect(goOn(desk)).toMatchObject({ ok: false, code: 'CONFLICT', text: expect.stringMatching(why) })
    expect(desk.account.book.otherServer.suspected).not.toBe(null)
  })

  test('without the socket, which the server of before may have', () => {
    const desk = restored()
    expect(goOn(desk, false)).toMatchObject({ text: expect.stringContaining('앱키를 쥐고') })
    expect(desk.ask({ kind: 'dismissOtherServer' })).toMatchObject({ ok: false })
  })

  test('until ten minutes after the last order of somebody else', () => {
    const desk = restored().wait(30_000)
    const { now } = desk
    desk.read([row(desk, { orderedAt: now })])
    desk.wait(599_000).read([row(desk, { orderedAt: now })], [[2, 70_000]])
    expect(goOn(desk)).toMatchObject({ ok: false })
    desk.wait(1_000).read([row(desk, { orderedAt: now })], [[2, 70_000]])
    expect(goOn(desk)).toMatchObject({ ok: true })
  })

  test('on the word of a clock that was ahead when it was put back', () => {
    const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000])
    const at = desk.now + 7_200_000
    desk.putFacts({ kind: 'otherServerSuspected', at, signs: [restoredSign(at)], text: QUESTION })
    desk.do({ kind: 'linked' }).wait(2_000)
    desk.read([row(desk, { orderedAt: desk.now - 60_000 })], [[2, 70_000]])
    expect(goOn(desk)).toMatchObject({ ok: false })
  })
})

/** As many shares bought as sold. */
const swapped = (desk: Desk) => [
  row(desk, { side: 'buy', odno: '0000000901', price: 69_000, filledCount: 2 }),
  row(desk, { filledCount: 2, orderedAt: desk.now - 1_800_000 }),
]

const restingBuy = (desk: Desk, over: Partial<Execution> = {}) =>
  row(desk, { side: 'buy', count: 1, price: 60_000, ...over })

describe('what the broker has and the book lacks', () => {
  test('stops both sides of its stock, also where there are more shares, until its person corrects the book', () => {
    const desk = restored(() => [], [[5, 70_000]]).wait(11_000)
    desk.read([], [[5, 70_000]])
    expect(desk.stock.blocked).toMatchObject({ code: 'mismatch', short: true })
    expect(desk.stock.blocked?.text).toContain('매수와 자동 매도를')
    expect(goOn(desk)).toMatchObject({ ok: true })
    for (let i = 0; i < 4; i += 1)
      expect(
        desk
          .wait(600_000)
          .read([], [[5, 70_000]])
          .timer().sent,
      ).toEqual([])
    expect(desk.stock.blocked?.short).toBe(true)
    const snapshot = desk.snapshot([], [[5, 70_000]])
    expect(desk.ask({ kind: 'fixBalance', code: CODE, snapshot })).toMatchObject({ ok: true })
    expect(desk.stock.blocked).toBe(null)
    expect(desk.lots).toEqual(['1: 2 @ 70000', '2: 3 @ 70000'])
    // What came waits for its person; what the book had is sold as before.
    expect(desk.wait(2_000).timer().live).toEqual(['1 sell 2 @ 70900 of 1 intended'])
  })

  test('as many shares are no agreement where others were traded: its person corrects the stock, before or after going on', () => {
    const fix = (desk: Desk) =>
      desk.ask({ kind: 'fixBalance', code: CODE, snapshot: desk.snapshot(swapped(desk), [[2, 69_000]]) })
    const settled = (): Desk => {
      const desk = restored(swapped, [[2, 69_000]]).wait(11_000)
      return desk.read(swapped(desk), [[2, 69_000]])
    }
    const later = settled()
    expect(later.stock.blocked).toMatchObject({
      code: 'mismatch',
      short: true,
      text: expect.stringContaining('수는 같지만'),
    })
    expect(goOn(later)).toMatchObject({ ok: true })
    // Nor on the days after it, whose lists are others.
    for (let hours = 0; hours < 48; hours += 12) {
      expect(
        later
          .wait(12 * 3_600_000)
          .read([], [[2, 69_000]])
          .timer().sent,
      ).toEqual([])
      expect(later.stock.blocked?.untilCorrected).toBe(true)
    }
    expect(fix(later)).toMatchObject({ ok: true })
    expect(later.stock.blocked).toBe(null)

    const before = settled()
    expect(fix(before)).toMatchObject({ ok: true })
    before.wait(20_000).read(swapped(before), [[2, 69_000]])
    expect(before.stock.blocked).toBe(null)
    expect(goOn(before)).toMatchObject({ ok: true })
    expect(before.timer().live).toEqual(['1 sell 2 @ 70900 of 1 intended'])
  })

  test('a new difference of the day is the person’s, too, and a doubt about orders stays in its place', () => {
    const desk = restored()
    expect(goOn(desk)).toMatchObject({ ok: true })
    for (let looks = 0; looks < 2; looks += 1) desk.wait(11_000).read([], [[3, 70_000]])
    expect(desk.stock.blocked).toMatchObject({ short: true, untilCorrected: true })
    const doubtful = restored()
    const blocked = { code: 'ambiguous', short: false, text: '?', at: doubtful.now } as const
    doubtful.putFacts({ kind: 'stockBlocked', code: CODE, at: doubtful.now, blocked })
    for (let looks = 0; looks < 2; looks += 1) doubtful.wait(11_000).read([], [[3, 70_000]])
    expect(doubtful.stock.blocked?.code).toBe('ambiguous')
  })

  test('a buy that rests keeps the rules from buying the same step, until it is over', () => {
    const buys = { autoBuy: true, autoSell: false, buyUnitPrice: 69_000 }
    const desk = restored((one) => [restingBuy(one)], [[2, 70_000]], buys)
    expect(goOn(desk)).toMatchObject({ ok: true })
    desk.buyAt(60_000)
    expect(desk.sent).toEqual([])
    expect(reasons(desk)).toContain('0000000900번')
    desk
      .wait(2_000)
      .read([restingBuy(desk, { cancelled: true })])
      .buyAt(60_000)
    expect(desk.live).toEqual([expect.stringMatching(/buy/)])
  })

  test('a sale that rests keeps the rules from offering the same lot; a person may, and so may whoever was never put back', () => {
    const desk = restored((one) => [row(one)], [[4, 70_000]])
    desk.hold([2, 2, 71_000])
    desk.wait(11_000).read([row(desk)], [[4, 70_000]])
    expect(goOn(desk)).toMatchObject({ ok: true })
    expect(desk.timer().sent).toEqual([])
    expect(reasons(desk)).toContain('백업 뒤에 낸 매도 주문(0000000900번)')
    expect(desk.quote(70_000).ask({ kind: 'sellAtPrice', code: CODE, price: 72_000, slices: 1 })).toMatchObject({
      ok: true,
    })
    const day = desk.wait(24 * 3_600_000).timer()
    expect(day.account.book.otherServer).toEqual({ suspected: null, known: [] })
  })

  test('another connection that takes the key afterwards is asked about, though it had it before', () => {
    const desk = restored().do({ kind: 'keyHeld' })
    expect(desk.account.book.otherServer.suspected).toMatchObject({ text: QUESTION, signs: { length: 2 } })
    expect(goOn(desk)).toMatchObject({ ok: true })
    expect(desk.do({ kind: 'keyHeld' }).account.book.otherServer.suspected?.text).toContain('앱키')
  })
})
