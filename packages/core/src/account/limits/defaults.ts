import type { ServerLimits } from '../types.ts'

/** Rules that hold everywhere: a buy needs a price of the last five seconds, within 3 % of which it lies. */
const EVERYWHERE = { collarPercent: 3, freshMs: 5_000 } as const

/** More orders of unknown outcome than this within an hour stop the buying. */
const LOST_ORDERS = { unknownPerHour: 10 } as const
/** The trials by kill -9 against the pretend broker lose dozens of outcomes, and must go on trading. */
const LOST_IN_SIMULATION = { unknownPerHour: 100 } as const

/**
 * Defaults where the money is real: six full days of buying, a tenth of it lost, one round trip a minute, ten full orders
 * sold by one click, and a sell price that is no typing error.
 */
const REAL_DEFAULTS = {
  ...LOST_ORDERS,
  positionAmount: 300_000_000,
  lossAmount: 30_000_000,
  repeatCount: 10,
  personOrderAmount: 100_000_000,
  sellCollarPercent: 10,
} as const

/** Of an account that is new where the money is real: a week of single shares shows more than any test. */
const FIRST_DAYS = { on: true, days: 5, amount: 1_000_000 } as const

/**
 * Limits of each user (design 4): on by default where the money is real, won. The named ones bind everybody; `defaults`
 * hold for who chose nothing on the page of limits.
 */
export const ACCOUNT_LIMITS: Readonly<Record<'sim' | 'paper' | 'real', ServerLimits>> = {
  sim: { ...EVERYWHERE, orderAmount: null, dailyBuyAmount: null, ordersPerMinute: null, defaults: LOST_IN_SIMULATION },
  paper: { ...EVERYWHERE, orderAmount: null, dailyBuyAmount: null, ordersPerMinute: 120, defaults: LOST_ORDERS },
  real: {
    ...EVERYWHERE,
    orderAmount: 10_000_000,
    dailyBuyAmount: 50_000_000,
    ordersPerMinute: 120,
    defaults: REAL_DEFAULTS,
    firstDays: FIRST_DAYS,
  },
}
