import type { Settings } from '@digger/core'

/** A stock of a demo person: settings in percent of the first price, so that they fit whatever the price is. */
export interface DemoStock {
  readonly code: string
  readonly buyPercent: number
  readonly sellPercent: number
  readonly buyUnitPrice: number
  readonly maxBuyAmount: number
  readonly average?: boolean
  readonly paused?: boolean
}

export interface DemoPerson {
  readonly email: string
  readonly password: string
  readonly admin: boolean
  /** The number of the pretend broker's customer whose credentials are used. */
  readonly customer: number
  readonly stocks: readonly DemoStock[]
}

const stock = (
  code: string,
  buyPercent: number,
  sellPercent: number,
  unit = 1_000_000,
  cap = 20_000_000,
): DemoStock => ({
  code,
  buyPercent,
  sellPercent,
  buyUnitPrice: unit,
  maxBuyAmount: cap,
})

/** Everyone has something lively (steps of a few ticks) and something slow, so that every state of a screen is there. */
export const PEOPLE: readonly DemoPerson[] = [
  {
    email: 'admin@example.com',
    password: 'digger-admin',
    admin: true,
    customer: 0,
    stocks: [stock('005930', -0.3, 0.3), stock('069500', -0.5, 0.6), stock('000660', -1, 1.2)],
  },
  {
    email: 'minji@example.com',
    password: 'digger-minji',
    admin: false,
    customer: 1,
    stocks: [
      stock('005930', -0.2, 0.4),
      stock('035720', -0.2, 0.4, 500_000),
      stock('035420', -0.5, 0.5),
      stock('000660', -1, 1.2, 1_000_000, 10_000_000),
      { ...stock('005380', -1, 1.2), average: true },
      stock('069500', -0.3, 0.4),
      stock('247540', -2, 3),
      { ...stock('066570', -1, 10), paused: true },
    ],
  },
  {
    email: 'junho@example.com',
    password: 'digger-junho',
    admin: false,
    customer: 2,
    stocks: [
      stock('000270', -0.3, 0.3),
      stock('105560', -0.4, 0.4),
      stock('034020', -0.3, 0.3, 500_000),
      { ...stock('068270', -1, 1.2), average: true },
      stock('086520', -1, 1.2, 1, 5_000_000),
    ],
  },
  { email: 'newbie@example.com', password: 'digger-newbie', admin: false, customer: 3, stocks: [] },
]

/** Customer whose credentials nobody uses yet: printed for trying the sign-up page. */
export const SPARE_CUSTOMER = 4

export const settingsOf = (one: DemoStock, firstPrice: number): Settings => ({
  maxBuyPrice: Math.round(firstPrice * 1.2),
  maxBuyAmount: one.maxBuyAmount,
  buyUnitPrice: one.buyUnitPrice,
  lastBuyPrice: null,
  recoverLastBuyPrice: true,
  autoBuy: one.paused !== true,
  buyPercent: one.buyPercent,
  autoSell: true,
  sellPercent: one.sellPercent,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: one.average === true,
})
