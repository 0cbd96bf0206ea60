import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ratioAfter, ratioBetween, scaled } from './adjust.ts'
import { type Bar, dayNumber, dayOf } from './bar.ts'
import { correctionsOf } from './corrections.ts'

const FIRST = dayNumber('20240101')

/** Days as traded, with what an adjusting chart makes of them. */
function days(traded: readonly number[], ratios: readonly { from: number; ratio: number }[]): Bar[] {
  return traded.map((won, n) => {
    const ratio = ratios.reduce((product, one) => (n < one.from ? product * one.ratio : product), 1)
    const close = Math.round(won * ratio)
    return { at: FIRST + n, open: close, high: close, low: close, close, volume: 1_000, traded: won }
  })
}
const steady = (won: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => won + ((n * 37) % 11) * 10)

describe('what became of a share', () => {
  test('is nothing where both prices are the same', () =>
    expect(correctionsOf(days(steady(70_000, 300), []))).toEqual([]))

  test('is found on its day: a split of one into fifty', () => {
    const bars = days([...steady(2_650_000, 100), ...steady(53_000, 100)], [{ from: 100, ratio: 0.02 }])
    expect(correctionsOf(bars)).toEqual([{ day: dayOf(FIRST + 100), ratio: expect.closeTo(0.02, 5) }])
  })

  test('is found twice, oldest first: new shares for one in five, then five joined into one', () => {
    const traded = [...steady(12_000, 50), ...steady(10_000, 50), ...steady(50_000, 50)]
    const found = correctionsOf(
      days(traded, [
        { from: 50, ratio: 1 / 1.2 },
        { from: 100, ratio: 5 },
      ]),
    )
    expect(found).toEqual([
      { day: dayOf(FIRST + 50), ratio: expect.closeTo(1 / 1.2, 3) },
      { day: dayOf(FIRST + 100), ratio: expect.closeTo(5, 3) },
    ])
  })

  test('is no more than rounding where a share costs little', () =>
    expect(correctionsOf(days([...steady(900, 40), ...steady(90, 40)], [{ from: 40, ratio: 0.1 }]))).toHaveLength(1))

  test('of days without a price says nothing', () => {
    const bars = days(steady(70_000, 10), []).map((bar) => ({ ...bar, traded: 0 }))
    expect(correctionsOf(bars)).toEqual([])
  })

  test('brings traded prices to the adjusted ones, for any split', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(0.01, 0.02, 0.1, 0.2, 0.5, 0.8, 2, 5, 10),
        fc.integer({ min: 5, max: 60 }),
        fc.integer({ min: 5_000, max: 900_000 }),
        (ratio, from, won) => {
          const after = Math.max(100, Math.round(won * ratio))
          const bars = days([...steady(won, from), ...steady(after, 60)], [{ from, ratio }])
          const found = correctionsOf(bars)
          expect(found).toHaveLength(1)
          for (const bar of bars)
            expect(Math.abs(bar.traded * ratioAfter(dayOf(bar.at), found) - bar.close)).toBeLessThan(
              2 + bar.close * 0.005,
            )
        },
      ),
    ))
})

describe('prices of an unknown share', () => {
  const corrections = [
    { day: '20240301', ratio: 0.5 },
    { day: '20240601', ratio: 0.1 },
  ]
  test.each([
    ['as of today', 1_000, 1],
    ['read between the two', 10_000, 0.1],
    ['as traded', 20_000, 0.05],
    ['as traded, and closed elsewhere by three percent', 20_600, 0.05],
  ])('%s', (_name, close, ratio) =>
    expect(ratioBetween('20240115', corrections, { close, adjusted: 1_000 })).toBeCloseTo(ratio, 9),
  )
  test('after the last change are as they are', () =>
    expect(ratioBetween('20240601', corrections, { close: 20_000, adjusted: 1_000 })).toBe(1))
})

test('scaled: prices whole and never nothing, counts the other way', () => {
  const bar: Bar = { at: 1, open: 105, high: 110, low: 1, close: 99, volume: 7, traded: 99 }
  expect(scaled(bar, 0.1)).toEqual({ at: 1, open: 11, high: 11, low: 1, close: 10, volume: 70, traded: 99 })
  expect(scaled(bar, 1)).toBe(bar)
})
