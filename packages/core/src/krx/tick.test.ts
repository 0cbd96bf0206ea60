import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { IssueKind } from './types.ts'
import { ceilToTick, floorToTick, onGrid, tickAbove, tickBelow, tickSize } from './tick.ts'

test.each([
  ['stock', 1, 1],
  ['stock', 1_999, 1],
  ['stock', 2_000, 5],
  ['stock', 4_999, 5],
  ['stock', 5_000, 10],
  ['stock', 19_999, 10],
  ['stock', 20_000, 50],
  ['stock', 49_999, 50],
  ['stock', 50_000, 100],
  ['stock', 199_999, 100],
  ['stock', 200_000, 500],
  ['stock', 499_999, 500],
  ['stock', 500_000, 1_000],
  ['stock', 3_000_000, 1_000],
  ['etf', 1_999, 1],
  ['etf', 2_000, 5],
  ['etf', 1_000_000, 5],
] as const)('a %s at %i won moves by %i', (kind, price, tick) => expect(tickSize(price, kind)).toBe(tick))

test.each([
  [1_999, 2_000],
  [2_000, 2_005],
  [4_995, 5_000],
  [19_990, 20_000],
  [20_000, 20_050],
  [49_950, 50_000],
  [50_000, 50_100],
  [199_900, 200_000],
  [200_000, 200_500],
  [499_500, 500_000],
  [500_000, 501_000],
])('stocks: %i and %i are neighbours, both ways', (lower, upper) => {
  expect(tickAbove(lower, 'stock')).toBe(upper)
  expect(tickBelow(upper, 'stock')).toBe(lower)
})

test.each([
  ['etf', 1_999, 2_000],
  ['etf', 2_000, 2_005],
  ['etf', 49_995, 50_000],
  ['etf', 50_000, 50_005],
] as const)('%s: %i and %i are neighbours, both ways', (kind, lower, upper) => {
  expect(tickAbove(lower, kind)).toBe(upper)
  expect(tickBelow(upper, kind)).toBe(lower)
})

describe('prices off the grid, as midpoint trades leave them', () => {
  test.each([
    [13_715, 13_710, 13_720],
    [75_050, 75_000, 75_100],
    [4_162, 4_160, 4_165],
    [49_951, 49_950, 50_000],
    [199_999, 199_900, 200_000],
  ])('%i lies between %i and %i', (price, lower, upper) => {
    expect(onGrid(price, 'stock')).toBe(false)
    expect([floorToTick(price, 'stock'), ceilToTick(price, 'stock')]).toEqual([lower, upper])
    expect([tickBelow(price, 'stock'), tickAbove(price, 'stock')]).toEqual([lower, upper])
  })
})

test('below one won there is no price', () => {
  expect(tickBelow(1, 'stock')).toBe(0)
  expect(onGrid(0, 'stock')).toBe(false)
  expect(() => tickSize(Number.NaN, 'stock')).toThrow('not a price')
})

const kinds = fc.constantFrom<IssueKind>('stock', 'etf')
const prices = fc.oneof(
  fc.integer({ min: 1, max: 2_500_000 }),
  fc.constantFrom(2_000, 5_000, 20_000, 50_000, 200_000, 500_000),
)

test('rounding lands on the grid, less than a tick away, and leaves grid prices alone', () => {
  fc.assert(
    fc.property(prices, kinds, (price, kind) => {
      const [down, up] = [floorToTick(price, kind), ceilToTick(price, kind)]
      expect(onGrid(up, kind)).toBe(true)
      expect(down === 0 || onGrid(down, kind)).toBe(true)
      expect(price - down).toBeLessThan(tickSize(price, kind))
      expect(up - price).toBeLessThan(tickSize(price, kind))
      expect(down === price).toBe(onGrid(price, kind))
      expect(down === up).toBe(onGrid(price, kind))
    }),
  )
})

test('a step up and a step down are inverse, with nothing in between', () => {
  fc.assert(
    fc.property(prices, kinds, (price, kind) => {
      const here = ceilToTick(price, kind)
      const above = tickAbove(here, kind)
      expect(tickBelow(above, kind)).toBe(here)
      const between = [here + 1, above - 1].filter((price) => here < price && price < above)
      expect(between.filter((price) => onGrid(price, kind))).toEqual([])
    }),
  )
})
