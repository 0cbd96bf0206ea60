import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'
import { dailyLimits } from '../krx/limit.ts'
import { withPast } from './base-move.ts'
import type { BaseMove } from './types.ts'

/** The last close that was kept is of the day before `DAY`; its evening nobody saw, nor the days up to the morning of `BACK`. */
const [KEPT, LATER, LAST, BACK] = ['20261113', '20261117', '20261118', '20261119']
/** Shares are split in two on `DAY`, in the morning. */
const split: BaseMove = { day: DAY, close: 70_000, base: 35_000 }
const past = (base: number, day = LAST): BaseMove => ({ day, close: 70_000, base, since: KEPT })

const desk = (): Desk =>
  show(new Desk({ lastBuyPrice: 69_300, autoBuy: false, autoSell: false }).hold([1, 2, 70_000]), split)
const show = (one: Desk, moved: BaseMove | null | undefined): Desk =>
  one
    .wait(1_000)
    .quote(moved?.base ?? 35_000, { moved, band: dailyLimits(moved?.base ?? 35_000, 'stock', 'KOSPI') })
    .timer()
const on = (one: Desk, day: string): Desk => {
  one.now = kstInstant(day, 90_100)
  return one
}
const back = (one: Desk, moved: BaseMove | null | undefined): Desk => show(on(one, BACK), moved)
const adjust = (one: Desk, day: string, held = 2) =>
  one.ask({ kind: 'adjustStock', code: CODE, day, held, snapshot: one.snapshot([], [[held, 69_650]]) })
const kinds = (one: Desk): string[] => one.facts.map(({ kind }) => kind)
const keep = (one: Desk, day: string) => one.ask({ kind: 'keepStock', code: CODE, day })

describe('a move that was seen before days without a server', () => {
  test('and waits for its person is not told again with those days', () => {
    const one = back(desk(), past(35_000))
    expect(kinds(one)).not.toContain('stockFrozen')
    expect(one.stock.frozen).toMatchObject(split)
    adjust(one, DAY)
    expect(one.stock.settings.lastBuyPrice).toBe(34_650)
    expect(show(one, past(35_000)).stock.frozen).toBe(null)
  })

  test.each([
    ['adjusted', adjust],
    ['left as it is', keep],
  ])('and was %s is settled', (_name, settle) => {
    const one = desk()
    settle(one, DAY)
    expect(back(one, past(35_000)).stock.frozen).toBe(null)
    expect(kinds(one)).not.toContain('stockFrozen')
  })

  test('and another one that nobody saw: both while nobody has settled the first, else the other alone', () => {
    expect(back(desk(), past(7_000)).stock.frozen).toMatchObject({ day: LAST, close: 70_000, base: 7_000 })
    const one = desk()
    adjust(one, DAY)
    back(one, past(7_000))
    expect(one.stock.frozen).toMatchObject({ day: LAST, close: 35_000, base: 7_000 })
    adjust(one, LAST)
    expect(show(one, past(7_000)).stock.frozen).toBe(null)
    // Days later, and still no close was kept.
    expect(show(on(one, '20261124'), past(7_000, '20261123')).stock.frozen).toBe(null)
  })

  test('two that were settled one after the other', () => {
    const one = desk()
    adjust(one, DAY)
    show(on(one, LATER), { day: LATER, close: 36_000, base: 18_000 })
    adjust(one, LATER)
    expect(back(one, past(17_500)).stock.frozen).toBe(null)
  })

  test('as a book of before remembers it: the newest alone', () => {
    const one = desk()
    adjust(one, DAY)
    const { settled } = one.stock.moves ?? {}
    expect(settled?.moves).toEqual([split])
    const moves = { open: [], prices: null, settled: { close: 70_000, base: 35_000, adjusted: true } }
    one.putFacts({ kind: 'stockThawed', code: CODE, settledOn: DAY, moves, at: one.now })
    expect(back(one, past(35_000)).stock.frozen).toBe(null)
  })

  test('and one of today: the day of today is settled, with those before', () => {
    const today: BaseMove = { day: BACK, close: 35_500, base: 7_100 }
    const one = back(desk(), withPast(today, past(35_000)))
    expect(one.stock.frozen).toMatchObject({ day: BACK, close: 71_000, base: 7_100 })
    // The evening knows today's alone, for a close was kept.
    expect(show(one, today).stock.frozen).toMatchObject({ day: BACK, close: 71_000, base: 7_100 })
    adjust(one, BACK)
    for (const moved of [today, withPast(today, past(35_000))]) expect(show(one, moved).stock.frozen).toBe(null)
  })

  test('a day nobody saw and today, the first of them settled: today alone', () => {
    const one = back(desk(), past(7_000))
    adjust(one, LAST)
    const today: BaseMove = { day: BACK, close: 7_100, base: 3_550 }
    expect(show(one, withPast(today, past(7_000))).stock.frozen).toMatchObject(today)
  })
})

const still = (base: number): BaseMove => ({ day: DAY, close: 70_000, base, since: '20261030' })
const left = (one: Desk): Desk => {
  keep(one, DAY)
  expect(one.stock.frozen).toBe(null)
  return one
}

describe('a move that was left as it is at a base that was wrong', () => {
  test('is the whole move at the right one, also of a share that stood still', () => {
    const one = left(show(new Desk({ lastBuyPrice: 69_300, autoBuy: false, autoSell: false }), still(35_000)))
    expect(show(one, still(35_000)).stock.frozen).toBe(null)
    expect(show(one, still(7_000)).stock.frozen).toMatchObject(still(7_000))
  })

  test('is none of the moves that days without a server are compared with', () => {
    const one = show(left(desk()), { ...split, base: 7_000 })
    adjust(one, DAY)
    expect(one.lots).toEqual(['1: 2 @ 7000'])
    expect(back(one, past(7_000)).stock.frozen).toBe(null)
  })
})

/** With prices of the share of that day: `DAY`, or the day before where it was added before the opening. */
const added = (settledOn: string): Desk => {
  const one = new Desk({ autoBuy: false, autoSell: false })
  const { issue, name, settings } = one.stock
  const prices = { ...settings, lastBuyPrice: 34_000, maxBuyPrice: 36_000 }
  return one.putFacts(
    { kind: 'stockRemoved', code: CODE, at: one.now },
    { kind: 'stockAdded', code: CODE, name, issue, settings: prices, settledOn, at: one.now },
  )
}

describe('a stock that was added since, with prices of the share of now', () => {
  test('is not frozen for what became of the share before that day', () => {
    expect(show(added(KEPT), { day: KEPT, close: 70_000, base: 35_000, since: '20261110' }).stock.frozen).toBe(null)
  })

  test('nor where the share has stood still until that day', () => {
    expect(show(added(DAY), { day: DAY, close: 70_000, base: 35_000, since: '20261030' }).stock.frozen).toBe(null)
  })

  test('but for what becomes of it later', () => {
    expect(back(added(DAY), past(35_000)).stock.frozen).toMatchObject(past(35_000))
  })
})
