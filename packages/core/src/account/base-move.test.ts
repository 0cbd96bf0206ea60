import { expect, test } from 'vitest'
import { baseMoveOf, chartMoveOf, isOfDayBefore, isSameBase, pastMoveOf, withoutKnown, withRatio } from './base-move.ts'
import type { AnnouncedAction } from './types.ts'

const [BEFORE, TODAY] = ['20261116', '20261117']
const closing = { day: BEFORE, close: 70_000, base: 68_000 }

test.each<[string, number, number, boolean]>([
  ['the same', 70_000, 70_000, true],
  ['a tick above', 70_100, 70_000, true],
  ['a tick below', 69_900, 70_000, true],
  ['a won more than a tick', 70_101, 70_000, false],
  ['the larger one has the tick', 49_950, 50_050, true],
])('%s is the same base: %i and %i', (_name, a, b, same) =>
  expect([isSameBase(a, b), isSameBase(b, a)]).toEqual([same, same]),
)

test('a base is held against the close of the trading day before, and no other', () => {
  expect(baseMoveOf(TODAY, 35_000, closing, BEFORE)).toEqual({ day: TODAY, close: 70_000, base: 35_000 })
  expect(baseMoveOf(TODAY, 70_000, closing, BEFORE)).toBe(null)
  expect(baseMoveOf(TODAY, 35_000, { ...closing, day: '20261113' }, BEFORE)).toBe(undefined)
  expect(baseMoveOf(TODAY, 35_000, undefined, BEFORE)).toBe(undefined)
})

test('the base of the day before is told by being that, and not the close', () => {
  expect(isOfDayBefore(68_000, closing, BEFORE)).toBe(true)
  expect(isOfDayBefore(70_000, closing, BEFORE)).toBe(false)
  expect(isOfDayBefore(35_000, closing, BEFORE)).toBe(false)
  expect(isOfDayBefore(68_000, { ...closing, close: 68_100 }, BEFORE)).toBe(false)
  expect(isOfDayBefore(68_000, { ...closing, day: '20261113' }, BEFORE)).toBe(false)
  expect(isOfDayBefore(68_000, undefined, BEFORE)).toBe(false)
})

test('by the chart alone only what no evening moves is a move', () => {
  expect(chartMoveOf(TODAY, 70_000, 70_000)).toBe(null)
  expect(chartMoveOf(TODAY, 63_000, 70_000)).toBe(undefined)
  expect(chartMoveOf(TODAY, 62_900, 70_000)).toEqual({ day: TODAY, close: 70_000, base: 62_900 })
})

test.each<[string, Partial<AnnouncedAction>, number, number | undefined]>([
  ['announced, and the base agrees', { ratio: 2 }, 35_000, 2],
  ['within a tick', { ratio: 2 }, 35_050, 2],
  ['the base says otherwise', { ratio: 2 }, 35_500, undefined],
  ['the new shares are paid for', { ratio: 2, paid: 1_000 }, 35_000, undefined],
])('the ratio is exact where it was %s', (_name, over, base, ratio) => {
  const announced: AnnouncedAction = { kind: 'bonusIssue', day: TODAY, ratio: 1, paid: 0, creditDay: null, ...over }
  expect(withRatio({ day: TODAY, close: 70_000, base }, announced).ratio).toBe(ratio)
})

test('what nobody announced stays as it is', () => {
  const move = { day: TODAY, close: 70_000, base: 35_000 }
  expect(withRatio(move, undefined)).toBe(move)
})

const WEDNESDAY = { day: '20261111', close: 70_000 }

test.each<[string, { last: number; before: number; close: number }, number | null]>([
  ['nothing happened', { last: 70_000, before: 71_000, close: 71_000 }, null],
  ['a split since then', { last: 14_000, before: 14_100, close: 14_100 }, 14_000],
  ['a split of today, which the chart holds already', { last: 14_000, before: 14_200, close: 71_000 }, null],
  ['or does not hold yet', { last: 70_000, before: 71_000, close: 71_000 }, null],
  ['both, the one of today held', { last: 7_000, before: 7_100, close: 14_200 }, 14_000],
  ['what an evening moves', { last: 64_000, before: 64_000, close: 64_000 }, null],
])('what became of a share while nobody looked: %s', (_name, bars, base) =>
  expect(pastMoveOf(BEFORE, WEDNESDAY, bars)).toEqual(
    base === null ? null : { day: BEFORE, close: 70_000, base, since: WEDNESDAY.day },
  ),
)

const half = (day: string) => ({ day, close: 70_000, base: 35_000 })

test('without what is known of it: moves of its days, and no others', () => {
  const past = { day: BEFORE, close: 70_000, base: 7_000, since: WEDNESDAY.day }
  expect(withoutKnown(past, [])).toBe(past)
  expect(withoutKnown(past, [half(WEDNESDAY.day), half(TODAY)])).toBe(past)
  expect(withoutKnown(past, [half('20261112')])).toEqual({ ...past, close: 35_000 })
  expect(withoutKnown(past, [half('20261112'), { day: BEFORE, close: 36_000, base: 7_200 }])).toBe(null)
})
