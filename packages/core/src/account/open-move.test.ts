import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'
import { dailyLimits } from '../krx/limit.ts'
import { outlook } from './outlook.ts'
import type { BaseMove } from './types.ts'

const NEXT = '20261117'
const move = (base: number, day = DAY, close = 70_000): BaseMove => ({ day, close, base })
const seen = (moved: BaseMove | null, base = moved?.base ?? 70_000) => ({
  moved,
  band: dailyLimits(base, 'stock', 'KOSPI'),
})

/** Two lots; nothing rests and nothing is bought unless a test wants it. */
const desk = (settings = {}): Desk =>
  new Desk({ lastBuyPrice: 69_300, autoBuy: false, autoSell: false, ...settings }).hold([1, 2, 70_000], [2, 2, 69_300])
const show = (one: Desk, moved: BaseMove | null): Desk =>
  one
    .wait(1_000)
    .quote(moved?.base ?? 70_000, seen(moved))
    .timer()
const nextDay = (one: Desk): Desk => {
  one.now = kstInstant(NEXT, 90_100)
  return one
}
const adjust = (one: Desk, day = DAY, held = 4) =>
  one.ask({ kind: 'adjustStock', code: CODE, day, held, snapshot: one.snapshot([], [[held, 69_650]]) })
const keep = (one: Desk, day = DAY) => one.ask({ kind: 'keepStock', code: CODE, day })

describe('the last base of a day is the one that counts', () => {
  test('a base that was wrong at first, or of the day before, is replaced by the right one', () => {
    const one = show(show(desk(), move(90_000)), move(35_000))
    expect(one.stock.frozen).toMatchObject(move(35_000))
    adjust(one)
    expect(one.lots).toEqual(['1: 2 @ 35000', '2: 2 @ 34650'])
  })

  test('the screen says so before anything is written', () => {
    const one = desk()
    const codes = (): string[] => outlook(one.account, one.ctx, CODE).reasons.map(({ code }) => code)
    one.quote(35_000, seen(move(35_000)))
    expect(codes()).toEqual(['frozen', 'frozen'])
    one.timer()
    keep(one)
    expect(codes()).not.toContain('frozen')
  })

  test('one tick beside it, the same reading again, and nothing known write no fact', () => {
    const one = show(desk(), move(35_000))
    for (const moved of [move(35_000), move(35_050)]) expect(show(one, moved).facts).toEqual([])
    expect(one.wait(1_000).quote(35_000).timer().facts).toEqual([])
    expect(one.stock.frozen).toMatchObject(move(35_000))
  })

  test('what is announced of the same base is taken over when it is read later, and kept when it is forgotten', () => {
    const one = show(show(desk(), move(35_000)), { ...move(35_000), ratio: 2 })
    expect(one.stock.frozen).toMatchObject({ ratio: 2 })
    expect(show(one, move(35_000)).stock.frozen).toMatchObject({ ratio: 2 })
  })

  test('left as it is at a wrong base: the right one freezes it', () => {
    const one = show(desk({ autoBuy: true }), move(90_000))
    keep(one)
    expect(one.stock.frozen).toBe(null)
    one
      .wait(10_000)
      .price(35_000, seen(move(35_000)))
      .cash(1_000)
    expect([one.stock.frozen?.base, one.sent]).toEqual([35_000, []])
  })

  test('left as it is: another reading of the same base, or one that was no move, freezes nothing', () => {
    const one = show(desk(), move(35_000))
    keep(one)
    expect(show(one, move(35_050)).stock.frozen).toBe(null)
    expect(show(one, null).stock.frozen).toBe(null)
  })

  test('adjusted to a base that moves once more that day: from the one to the other', () => {
    const one = show(desk(), move(35_000))
    adjust(one)
    show(one, move(40_000))
    expect(one.stock.frozen).toMatchObject({ day: DAY, close: 35_000, base: 40_000 })
    adjust(one)
    expect([one.stock.settings.lastBuyPrice, one.stock.frozen]).toEqual([39_600, null])
    expect(show(one, move(40_000)).stock.frozen).toBe(null)
  })

  test('adjusted to a base that turns out to be none: back again', () => {
    const one = show(desk(), move(35_000))
    adjust(one)
    show(one, null)
    expect(one.stock.frozen).toMatchObject({ day: DAY, close: 35_000, base: 70_000 })
    expect(show(one, move(35_000)).stock.frozen).toBe(null)
  })

  test('only the base that the person saw is settled', () => {
    const one = show(show(desk(), move(90_000)), move(35_000))
    const snapshot = one.snapshot([], [[4, 69_650]])
    expect(one.ask({ kind: 'adjustStock', code: CODE, day: DAY, base: 90_000, held: 4, snapshot })).toMatchObject({
      code: 'CONFLICT',
    })
    expect(one.ask({ kind: 'keepStock', code: CODE, day: DAY, base: 90_000 })).toMatchObject({ code: 'CONFLICT' })
    expect(one.ask({ kind: 'adjustStock', code: CODE, day: DAY, base: 35_000, held: 4, snapshot })).toMatchObject({
      ok: true,
    })
  })

  test('nor settings that were saved since', () => {
    const one = show(desk(), move(35_000))
    const { version } = one.stock
    one.settings({ minSellPrice: 36_000 })
    const snapshot = one.snapshot([], [[4, 69_650]])
    const asked = { kind: 'adjustStock', code: CODE, day: DAY, held: 4, snapshot } as const
    expect(one.ask({ ...asked, version })).toMatchObject({ code: 'CONFLICT' })
    expect(one.ask({ ...asked, version: version + 1 })).toMatchObject({ ok: true })
  })
})

const first = (): Desk => nextDay(show(desk({ autoBuy: true }), move(35_000)))

describe('two moves that nobody has settled', () => {
  test('the second turns out to be none: the first stands', () => {
    const one = show(first(), move(30_000, NEXT, 36_000))
    expect(one.stock.frozen?.day).toBe(NEXT)
    show(one, null)
    expect(one.stock.frozen).toMatchObject(move(35_000))
    one.wait(10_000).price(36_000, seen(null, 36_000)).cash(1_000)
    expect([one.stock.frozen?.base, one.sent]).toEqual([35_000, []])
  })

  test('the second is read anew: it replaces itself, not the first', () => {
    const one = show(show(first(), move(30_000, NEXT, 36_000)), move(18_000, NEXT, 36_000))
    expect(one.stock.frozen).toMatchObject({ day: NEXT, close: 72_000, base: 18_000 })
  })

  test('both are settled as one', () => {
    const one = show(first(), move(18_000, NEXT, 36_000))
    expect(adjust(one, DAY)).toMatchObject({ code: 'CONFLICT' })
    expect(adjust(one, NEXT)).toMatchObject({ ok: true })
    expect([one.stock.settings.lastBuyPrice, one.stock.settledOn]).toEqual([17_325, NEXT])
    expect(show(one, move(18_000, NEXT, 36_000)).stock.frozen).toBe(null)
  })
})

describe('what is of a share of before', () => {
  test('shares that only their person keeps, too', () => {
    const one = new Desk({ lastBuyPrice: null, maxBuyPrice: null, minSellPrice: null, autoBuy: false })
    one.ask({ kind: 'keepShares', code: CODE, count: 100 })
    expect(show(one, move(14_000)).stock.frozen).toMatchObject(move(14_000))
    adjust(one, DAY, 500)
    expect(one.stock).toMatchObject({ kept: 500, frozen: null })
  })

  test('a stock that is added at night is of the share of the day before', () => {
    const one = desk()
    const settings = { ...one.stock.settings, maxBuyPrice: 40_000 }
    const issue = { code: '000660', kind: 'stock', market: 'KOSPI', nxt: false } as const
    const moved = { price: 35_000, at: one.now, live: true, halted: false, band: null, moved: move(35_000) }
    one.quotes.set('000660', moved)
    one.now = kstInstant(NEXT, 3_000)
    one.ask({ kind: 'updateStock', code: '000660', version: null, settings, listing: { issue, name: '' } })
    const other = () => one.account.book.stocks.get('000660')
    expect(one.timer() && other()?.frozen).toBe(null)
    one.quotes.set('000660', { ...moved, moved: move(17_500, NEXT, 35_000) })
    expect(one.wait(9 * 3_600_000).timer() && other()?.frozen).toMatchObject({ base: 17_500 })
  })
})
