/** These settings want a share at whatever price it has, every time it falls a little. */
export const EAGER = {
  maxBuyPrice: 900_000,
  maxBuyAmount: 50_000_000,
  buyUnitPrice: 1,
  lastBuyPrice: null,
  recoverLastBuyPrice: true,
  autoBuy: true,
  buyPercent: -0.1,
  autoSell: false,
  sellPercent: 10,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
}
