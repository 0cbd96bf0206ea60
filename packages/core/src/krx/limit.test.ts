import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IssueKind } from './types.ts'
import { dailyLimits } from './limit.ts'
import { onGrid } from './tick.ts'

test.each([
  ['small prices move by the won', 1_850, 'stock', 2_405, 1_295],
  ['the width is cut at the tick of the base, so the lower end stays high', 6_360, 'stock', 8_260, 4_460],
  ['the upper end is cut again where the tick is coarser', 17_550, 'stock', 22_800, 12_290],
  ['upper end across 20,000', 17_800, 'stock', 23_100, 12_460],
  ['workbook example', 73_400, 'stock', 95_400, 51_400],
  ['workbook example with today’s tick', 111_000, 'stock', 144_300, 77_700],
  ['workbook example with today’s tick', 128_500, 'stock', 167_000, 90_000],
  ['lower end of a real limit-down day', 121_700, 'stock', 158_200, 85_200],
  ['upper end across 200,000', 180_000, 'stock', 234_000, 126_000],
  ['upper end across 500,000', 455_000, 'stock', 591_000, 318_500],
  ['ETF tick', 35_980, 'etf', 46_770, 25_190],
  ['width under one won', 3, 'stock', 3, 3],
] as const)('%s: %i (%s) → %i / %i', (_name, base, kind, upper, lower) => {
  expect(dailyLimits(base, kind)).toEqual({ upper, lower })
})

test.each([
  ['a real limit-up', 2_100, 2_415, 1_785],
  ['the width is cut to the tick there too', 4_003, 4_600, 3_405],
])('KONEX moves 15 %%: %s, %i', (_name, base, upper, lower) => {
  expect(dailyLimits(base, 'stock', 'KONEX')).toEqual({ upper, lower })
})

test('limits lie on the grid, around the base, and never wider than 30 %', () => {
  const bases = fc.integer({ min: 1, max: 2_500_000 })
  fc.assert(
    fc.property(bases, fc.constantFrom<IssueKind>('stock', 'etf'), (base, kind) => {
      const { lower, upper } = dailyLimits(base, kind)
      expect(onGrid(lower, kind) && onGrid(upper, kind)).toBe(true)
      expect(upper * 10).toBeLessThanOrEqual(base * 13)
      expect(lower * 10).toBeGreaterThanOrEqual(base * 7)
    }),
  )
})
