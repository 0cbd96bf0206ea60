import type { ServerLimits } from '@digger/core'

/** No limit of the account holds; prices count as fresh for five seconds, as in the product. */
export const NO_ACCOUNT_LIMITS: ServerLimits = {
  orderAmount: null,
  dailyBuyAmount: null,
  ordersPerMinute: null,
  collarPercent: null,
  freshMs: 5_000,
}
