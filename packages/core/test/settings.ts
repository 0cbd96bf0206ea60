import * as fc from 'fast-check'
import type { Lot, Settings } from '../src/ladder/types.ts'

/** The settings of the worked example: 70,000 won share, both sides on. */
export const EXAMPLE: Settings = {
  maxBuyPrice: 75_000,
  maxBuyAmount: 10_000_000,
  buyUnitPrice: 200_000,
  lastBuyPrice: null,
  recoverLastBuyPrice: true,
  autoBuy: true,
  buyPercent: -1,
  autoSell: true,
  sellPercent: 1.2,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
}

export const lot = (id: number, count: number, buyPrice: number): Lot => ({
  id,
  count,
  buyPrice,
  buyAmount: count * buyPrice,
  boughtAt: id * 1000,
})

const price = fc.integer({ min: 1, max: 2_000_000 })
/** Hundredths of a percent, as people type them. */
const percent = (min: number, max: number) => fc.integer({ min: min * 100, max: max * 100 }).map((n) => n / 100)

/** Settings that pass every check, on both sides of every switch that is not autoBuy or autoSell. */
export const anySettings: fc.Arbitrary<Settings> = fc.record({
  maxBuyPrice: price,
  maxBuyAmount: fc.integer({ min: 1, max: 100_000_000 }),
  buyUnitPrice: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 5_000_000 })),
  lastBuyPrice: fc.option(price),
  recoverLastBuyPrice: fc.boolean(),
  autoBuy: fc.constant(true),
  buyPercent: percent(-30, 0).map((n) => (n === 0 ? -0.01 : n)),
  autoSell: fc.constant(true),
  sellPercent: percent(0, 50).map((n) => (n === 0 ? 0.01 : n)),
  useMinSellPrice: fc.boolean(),
  minSellPrice: price,
  autoSellWithAvgPrice: fc.boolean(),
})

export const anyLots: fc.Arbitrary<readonly Lot[]> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 500 }), price), { maxLength: 12 })
  .map((rows) => rows.map(([count, buyPrice], i) => lot(i + 1, count, buyPrice)))

export const anyKind = fc.constantFrom('stock' as const, 'etf' as const)
