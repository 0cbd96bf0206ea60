import type { Settings } from '@digger/core'

/** A ladder that stands at 70,000 won. */
export const SETTINGS: Settings = {
  maxBuyPrice: 75_000,
  maxBuyAmount: 10_000_000,
  buyUnitPrice: 200_000,
  lastBuyPrice: 70_000,
  recoverLastBuyPrice: true,
  autoBuy: true,
  buyPercent: -1,
  autoSell: true,
  sellPercent: 1.2,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
}
