import { onGrid } from '@digger/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baseOf, dayPath, type Candle } from './replay.ts'

const candle = (open: number, high: number, low: number, close: number, volume = 1_000): Candle => ({
  day: '20260105',
  code: '005930',
  name: '삼성전자',
  market: 'KOSPI',
  open,
  high,
  low,
  close,
  volume,
})

/** Any real day: open and close lie between the extremes, nothing need lie on the grid. */
const days = fc
  .tuple(fc.integer({ min: 100, max: 900_000 }), fc.nat(1_000), fc.nat(1_000), fc.nat(1_000), fc.nat(1_000))
  .map(([low, a, b, c, d]) => {
    const high = low + Math.floor((low * a) / 4_000)
    const between = (share: number): number => low + Math.floor(((high - low) * share) / 1_000)
    return candle(between(b), high, low, between(c), 1 + d)
  })
const bounds = fc.integer({ min: 4, max: 500 })

/** The price after the open of a day whose extremes are as far. */
const first = (seed: number): number | undefined => dayPath(candle(10_000, 10_010, 9_990, 10_000), 'stock', 50, seed)[1]

describe('the path of a day', () => {
  test.each<[string, Candle, number, number[]]>([
    [
      'the nearer extreme first',
      candle(10_000, 10_030, 9_990, 10_010),
      50,
      [10_000, 9_990, 10_000, 10_010, 10_020, 10_030, 10_020, 10_010],
    ],
    ['or the upper one', candle(10_000, 10_010, 9_980, 9_990), 50, [10_000, 10_010, 10_000, 9_990, 9_980, 9_990]],
    [
      'off-grid prices as they are',
      candle(13_715, 13_715, 13_705, 13_710),
      50,
      [13_715, 13_715, 13_710, 13_705, 13_710],
    ],
    ['few steps keep the corners', candle(10_000, 11_000, 9_900, 10_500), 4, [10_000, 9_900, 11_000, 10_500]],
    ['no trades, no prices', candle(0, 0, 0, 10_000, 0), 50, []],
  ])('%s', (_name, day, steps, expected) => expect(dayPath(day, 'stock', steps, 1)).toEqual(expected))

  test('begins at the open, ends at the close, and reaches exactly the high and the low', () => {
    const property = fc.property(days, bounds, fc.nat(), (day, steps, seed) => {
      const path = dayPath(day, 'stock', steps, seed)
      expect([path[0], path.at(-1), Math.max(...path), Math.min(...path)]).toEqual([
        day.open,
        day.close,
        day.high,
        day.low,
      ])
      expect(path.length).toBeLessThanOrEqual(steps)
      const corners = new Set([day.open, day.high, day.low, day.close])
      expect(path.filter((price) => !onGrid(price, 'stock') && !corners.has(price))).toEqual([])
    })
    fc.assert(property)
  })

  test('is the same for the same seed', () => {
    const property = fc.property(days, bounds, fc.nat(), (day, steps, seed) => {
      expect(dayPath(day, 'stock', steps, seed)).toEqual(dayPath(day, 'stock', steps, seed))
    })
    fc.assert(property)
  })

  test('goes either way first when both extremes are as far, as the seed says', () => {
    expect(new Set(Array.from({ length: 30 }, (_, seed) => first(seed)))).toEqual(new Set([10_010, 9_990]))
  })
})

test.each([
  ['the close before', candle(10_000, 10_100, 9_900, 10_000), 9_950, 9_950],
  ['the open when there is none', candle(10_005, 10_100, 9_900, 10_000), null, 10_000],
  ['the close carried over a day without a trade', candle(0, 0, 0, 347, 0), null, 347],
  ['that of the day before, where both stood still', candle(0, 0, 0, 347, 0), 347, 347],
  ['the open after a split', candle(2_000, 2_100, 1_900, 2_000), 10_000, 2_000],
])('the base price is %s', (_name, day, before, expected) => expect(baseOf(day, before, 'stock')).toBe(expected))
