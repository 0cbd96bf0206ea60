import { demoCredentials, listings } from './product.ts'

const CODES = new Set(['316140', '024110'])

/** What everybody trades. */
export const STOCKS = listings.filter(({ code }) => CODES.has(code))

/** Each has an account at the pretend broker. */
export const CUSTOMERS = ['anna', 'berta', 'clara', 'doris'].map((name, n) => ({
  userId: `customer${name}`,
  credentials: demoCredentials(n),
}))

/** Of each stock, the customers' own: with them the exchange takes a second sale of the same lot. */
export const KEPT_SHARES = 100

/** Two shares each time: down a percent, and sold a percent above. */
export const settingsOf = (base: number) => ({
  maxBuyPrice: Math.floor(base * 1.2),
  maxBuyAmount: base * 60,
  buyUnitPrice: base * 2 + 1_000,
  lastBuyPrice: base,
  recoverLastBuyPrice: true,
  autoBuy: true,
  buyPercent: -0.8,
  autoSell: true,
  sellPercent: 0.8,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
})
