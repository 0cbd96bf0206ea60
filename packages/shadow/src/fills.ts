import { isLive, pricesOf, routeOf, type Account, type Context, type Order, type PricedBy } from '@digger/core'

/**
 * When a resting order that was never sent counts as filled. Nobody knows its place in the queue at its price. `through`: the last one,
 * so that the market must have traded beyond the price; `touch`: the first, a trade at the price is enough. `cautious`: a sale only
 * through, a buy at a touch; it spends sooner and takes in later than either, and a buy is made where the market trades just then.
 */
export type FillRule = 'cautious' | 'through' | 'touch'

export const DEFAULT_RULE: FillRule = 'cautious'

/** What the market has shown of a stock since it was last looked at, won. */
export interface Traded {
  readonly low: number
  readonly high: number
  readonly last: number
}

/** Won each that orders of these ids filled at, whole. */
export type Fills = ReadonlyMap<number, number>

export const NO_FILLS: Fills = new Map()

/** Resting orders of the stock that these trades reach: at their own price, as one who waits gets it. */
export function fillsBy(account: Account, ctx: Context, code: string, { traded, rule }: Market): Fills {
  const fills = new Map<number, number>()
  const venue = pricesOf(account, ctx, code)
  for (const order of account.book.orders.values())
    if (order.code === code && isResting(order) && isMet(order, venue) && isReached(order, traded, rule))
      fills.set(order.id, order.type === 'limit' ? order.price : traded.last)
  return fills
}

/** What resting orders are held against. */
export interface Market {
  readonly traded: Traded
  readonly rule: FillRule
}

const isResting = ({ status, odno }: Order): boolean => isLive(status) && odno !== null

/** An order that lies at one exchange is not met by the trades of the other. */
const isMet = (order: Order, traded: PricedBy): boolean =>
  order.venue === 'SOR' || traded === 'UN' || order.venue === traded

function isReached({ type, side, price }: Order, { low, high }: Traded, rule: FillRule): boolean {
  // Orders without a price wait for the end of an auction only.
  if (type !== 'limit') return true
  const isAtPriceEnough = rule === 'touch' || (rule === 'cautious' && side === 'buy')
  if (side === 'sell') return isAtPriceEnough ? high >= price : high > price
  return isAtPriceEnough ? low <= price : low < price
}

/**
 * An order that arrives and asks for no more than the market gave last is filled at that price; null: it rests. One at the very
 * price of the last trade rests: the other side's offer is not known. In an auction everything waits for its end.
 */
export function priceAtArrival(account: Account, ctx: Context, { code, type, side, price }: Order): number | null {
  const stock = account.book.stocks.get(code)
  const quote = ctx.quote(code)
  if (stock === undefined || quote === undefined || quote.halted) return null
  if (routeOf(account, ctx, stock.issue)?.continuous !== true) return null
  if (type !== 'limit') return quote.price
  const isBetter = side === 'sell' ? quote.price > price : quote.price < price
  return isBetter ? quote.price : null
}
