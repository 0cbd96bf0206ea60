/** From a price at the next buy, or at a target, to the order at the exchange, ms. */
export const DUE_MS = 30_000
/** A buy that the limit of orders in a minute holds back goes out this much later at most, ms. */
export const ORDER_LIMIT_MS = 60_000

/** The settings and the account let nothing more be bought of a stock. */
export const FULL: ReadonlySet<string> = new Set([
  'capReached',
  'unitTooSmall',
  'notEnoughCash',
  'dailyBuyAmount',
  'positionAmount',
  'orderAmount',
])
