import { describe, expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'
import { outlook } from './outlook.ts'

/** The balance as it is now; armed again after the second look. */
function look(desk: Desk, held: readonly [count: number, averagePrice: number][]): Desk {
  return desk.wait(12_000).read([], held).wait(12_000).read([], held)
}
const fix = (desk: Desk, held: readonly [count: number, averagePrice: number][]) =>
  desk.wait(12_000).ask({ kind: 'fixBalance', code: CODE, snapshot: desk.snapshot([], held) })
const keep = (desk: Desk, count: number) => desk.ask({ kind: 'keepShares', code: CODE, count })

describe('shares a person keeps', () => {
  test('stay out of the book: book + kept = broker agrees, and none of them is ever sold', () => {
    const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000])
    look(desk, [[102, 60_000]])
    expect(desk.stock.blocked?.code).toBe('mismatch')
    expect(keep(desk, 100)).toMatchObject({ ok: true })
    look(desk, [[102, 60_000]])
    expect([desk.stock.blocked, desk.stock.kept]).toEqual([null, 100])
    desk.quote(70_000).settings({ autoSell: true })
    expect(desk.live).toEqual(['1 sell 2 @ 70900 of 1 intended'])
    desk.accept(1).wait(2_000).ask({ kind: 'sellAtMarket', code: CODE })
    const counts = [...desk.account.book.orders.values()].map(({ count }) => count)
    expect(Math.max(...counts)).toBe(2)
  })

  test('are not made up for by the book: where even of them some are gone their number comes first', () => {
    const desk = look(new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000]), [[12, 60_000]])
    keep(desk, 10)
    look(desk, [[9, 60_000]])
    expect(fix(desk, [[9, 60_000]])).toMatchObject({ ok: false, text: expect.stringContaining('그 수량을 먼저 고쳐') })
    expect(desk.lots).toEqual(['1: 2 @ 70000'])
  })

  test('take sells back that might be of them, until book and broker agree', () => {
    const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).quote(70_000).timer()
    desk.accept(1).wait(2_000)
    keep(desk, 1)
    expect(desk.effects).toContainEqual({ kind: 'cancel', orderId: 1 })
    // Fewer than before are none of the book's.
    const other = new Desk({ autoBuy: false }).hold([1, 2, 70_000])
    keep(other, 5)
    look(other, [[7, 70_000]])
    other.quote(70_000).timer()
    other.accept(1).wait(2_000)
    keep(other, 4)
    expect(other.effects.filter(({ kind }) => kind === 'cancel')).toEqual([])
  })

  test('nothing automatic before book and broker were compared with the new number', () => {
    const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000])
    keep(desk, 5)
    expect(desk.timer().sent).toEqual([])
    desk.wait(2_000).read([], [[7, 70_000]])
    expect(desk.timer().live).toHaveLength(1)
  })

  test('nor while a difference may be a fill that only the balance shows yet', () => {
    const desk = new Desk()
    keep(desk, 2)
    look(desk, [[2, 1_000]]).buyAt(69_700, 2)
    desk.accept(1).wait(1_000)
    keep(desk, 3)
    desk.wait(1_000).read([desk.row(1)], [[4, 35_350]])
    desk.wait(2_000).read([desk.row(1, { filledCount: 2 })])
    expect([desk.lots, desk.live]).toEqual([['1: 2 @ 69700'], []])
    // One of the two is the person's now, and they have to say what of the book is theirs.
    look(desk, [[4, 35_350]])
    expect([desk.live, desk.stock.blocked]).toMatchObject([[], { code: 'mismatch', short: true }])
  })

  test('when the person sells of them elsewhere the stock says so, and a fix does not touch the book', () => {
    const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000])
    keep(desk, 100)
    look(desk, [[102, 60_000]])
    look(desk, [[60, 60_000]])
    expect(desk.stock.blocked).toMatchObject({ short: true, text: expect.stringContaining('직접 관리하는 100주') })
    expect(fix(desk, [[60, 60_000]])).toMatchObject({ ok: false, code: 'CONFLICT' })
    expect(desk.lots).toEqual(['1: 2 @ 70000'])
    keep(desk, 58)
    look(desk, [[60, 60_000]])
    expect(desk.stock.blocked).toBe(null)
  })

  test.each([-1, 1.5, Number.NaN, 2_000_000_000])('%s is no count', (count) => {
    expect(keep(new Desk(), count)).toMatchObject({ ok: false, code: 'INVALID' })
  })

  test('the same number again is no change', () => {
    const desk = new Desk()
    keep(desk, 0)
    expect(desk.facts).toEqual([])
  })
})

/** A hundred shares bought long ago at 60,000, taken into the book. */
function takenOver(): Desk {
  const desk = new Desk({ autoBuy: false }).quote(70_000)
  look(desk, [[100, 60_000]])
  expect(fix(desk, [[100, 60_000]])).toMatchObject({ ok: true })
  return desk.quote(70_000)
}

describe('shares that a correction took over', () => {
  test('are not sold before the person agrees: not at once, not with new settings, not on another day', () => {
    const desk = takenOver()
    expect(desk.lots).toEqual(['1: 100 @ 60000'])
    expect(desk.wait(1_000).timer().sent).toEqual([])
    desk.settings({ sellPercent: 5 })
    expect(desk.sent).toEqual([])
    desk.now = kstInstant('20261117', 90_100)
    expect(desk.quote(70_000).timer().sent).toEqual([])
    expect(outlook(desk.account, desk.ctx, CODE).reasons.map(({ code }) => code)).toContain('takenOver')
  })

  test('are sold as the settings say from then on', () => {
    const desk = takenOver()
    expect(desk.ask({ kind: 'releaseLots', code: CODE, lotIds: [1] })).toMatchObject({ ok: true })
    expect(desk.live).toEqual(['1 sell 100 @ 60800 of 1 intended'])
  })

  test('the person sells them by hand at any time', () => {
    const desk = takenOver()
    desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'market' })
    expect(desk.sent).toHaveLength(1)
  })

  test('only lots that are there', () => {
    const desk = takenOver()
    expect(desk.ask({ kind: 'releaseLots', code: CODE, lotIds: [1, 9] })).toMatchObject({ code: 'NOT_FOUND' })
    expect(desk.facts).toEqual([])
  })

  test('a part that is split off is no freer', () => {
    const desk = takenOver()
    desk.ask({ kind: 'sellAtPrice', code: CODE, price: 75_000, slices: 3 })
    expect(desk.stock.lots.map(({ takenOver: taken }) => taken)).toEqual([true, true, true])
  })
})

test('lots of a journal from before are nobody’s own', () => {
  const desk = new Desk({ autoBuy: false })
  const [lot] = desk.hold([1, 2, 70_000]).stock.lots
  // What the journal of an earlier version holds.
  const written: Parameters<Desk['putFacts']>[0] = JSON.parse(
    JSON.stringify({ kind: 'lotBought', code: CODE, lot: { ...lot, takenOver: undefined }, at: 1 }),
  )
  desk.putFacts(written)
  expect(desk.stock.lots[0]?.takenOver).toBe(false)
})
