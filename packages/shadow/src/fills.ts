import {
  CLOSING_OVERRUN_MS,
  isLive,
  kstDay,
  phaseAt,
  pricesOf,
  routeOf,
  type Account,
  type Context,
  type Order,
  type PricedBy,
  type Quote,
} from '@digger/core'

/**
 * When a resting order that was never sent counts as filled. Nobody knows its place in the queue at its price. `through`: the last one,
 * so that the market must have traded beyond the price; `touch`: the first, a trade at the price is enough. `cautious`: a sale only
 * through, a buy at a touch; it spends sooner and takes in later than either, and a buy is made where the market trades just then.
 *
 * Whatever the rule, only a trade fills: one that came after the order, while an exchange where the order lies trades. A price that was
 * only read is none: before the opening it is the last close. So what waits for an auction is filled by the first trade after it.
 */
export type FillRule = 'cautious' | 'through' | 'touch'

export const DEFAULT_RULE: FillRule = 'cautious'

export interface Trade {
  /** Won. */
  readonly price: number
  /** When it was seen, epoch ms. */
  readonly at: number
}

/** What was traded of a stock since it was last looked at, won. */
export interface Traded {
  readonly low: number
  readonly high: number
  /** The earliest of them. */
  readonly first: number
  /** When the last of them was seen, epoch ms. */
  readonly at: number
}

/** The trade that a price tells of; null where it was only read, or the stock stands still. What was polled and shows a trade is one. */
export const tradeOf = ({ price, at, shownAt = at, halted }: Quote): Trade | null =>
  price <= 0 || halted || shownAt !== at ? null : { price, at }

/** Those before, null where there were none, and one more. */
export const withTrade = (before: Traded | null, { price, at }: Trade): Traded => ({
  low: Math.min(before?.low ?? price, price),
  high: Math.max(before?.high ?? price, price),
  first: before?.first ?? price,
  at,
})

/** Won each that orders of these ids filled at, whole. */
export type Fills = ReadonlyMap<number, number>

export const NO_FILLS: Fills = new Map()

/** Resting orders of the stock that these trades reach: at their own price, as one who waits gets it. */
export function fillsBy(account: Account, ctx: Context, code: string, { traded, rule }: Market): Fills {
  const fills = new Map<number, number>()
  const priced = pricesOf(account, ctx, code)
  for (const order of account.book.orders.values()) {
    if (order.code !== code || !isResting(order) || order.createdAt > traded.at) continue
    const isMet = venuesOf(order.venue, priced).some((venue) => showsTrades(venue, traded.at, ctx))
    if (isMet && isReached(order, traded, rule))
      fills.set(order.id, order.type === 'limit' ? order.price : traded.first)
  }
  return fills
}

/** What resting orders are held against. */
export interface Market {
  readonly traded: Traded
  readonly rule: FillRule
}

const isResting = ({ status, odno }: Order): boolean => isLive(status) && odno !== null

type Exchange = 'KRX' | 'NXT'

/** The exchanges where an order lies and of whose trades the price is made: one is not met by the trades of the other. */
const venuesOf = (venue: Order['venue'], priced: PricedBy): Exchange[] =>
  (['KRX', 'NXT'] as const).filter((one) => (venue === 'SOR' || venue === one) && (priced === 'UN' || priced === one))

/** Whether it trades, or has just ended its closing auction: until an auction ends there are expected prices only. */
function showsTrades(venue: Exchange, at: number, { timetable }: Context): boolean {
  const { matching } = phaseAt(venue, at, timetable)
  const isOverrun = phaseAt(venue, at - CLOSING_OVERRUN_MS, timetable).name === 'closingAuction'
  return matching === 'continuous' || (matching === 'closed' && isOverrun)
}

function isReached({ type, side, price }: Order, { low, high }: Traded, rule: FillRule): boolean {
  // Orders without a price wait for the end of an auction only.
  if (type !== 'limit') return true
  const isAtPriceEnough = rule === 'touch' || (rule === 'cautious' && side === 'buy')
  if (side === 'sell') return isAtPriceEnough ? high >= price : high > price
  return isAtPriceEnough ? low <= price : low < price
}

/**
 * An order that arrives and asks for no more than this session's last trade is filled at that price; null: it rests. One at the very
 * price of the last trade rests: the other side's offer is not known. In an auction everything waits for its end.
 */
export function priceAtArrival(
  account: Account,
  ctx: Context,
  { code, type, side, price, venue }: Order,
): number | null {
  const stock = account.book.stocks.get(code)
  const quote = ctx.quote(code)
  const trade = quote === undefined ? null : tradeOf(quote)
  if (stock === undefined || trade === null) return null
  if (routeOf(account, ctx, stock.issue)?.continuous !== true) return null
  const venues = venuesOf(venue, pricesOf(account, ctx, code))
  if (!venues.some((one) => isOfSession(one, trade.at, ctx))) return null
  if (type !== 'limit') return trade.price
  const isBetter = side === 'sell' ? trade.price > price : trade.price < price
  return isBetter ? trade.price : null
}

function isOfSession(venue: Exchange, at: number, { now, timetable }: Context): boolean {
  const then = phaseAt(venue, at, timetable)
  const isSame = then.name === phaseAt(venue, now, timetable).name && kstDay(at) === kstDay(now)
  return isSame && then.matching === 'continuous'
}
