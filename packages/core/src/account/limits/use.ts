import { remainAmount, remainCount } from '../../ladder/buy.ts'
import { unrealisedGain } from '../../ladder/gain.ts'
import { stockBuyAmount } from '../expected-shares.ts'
import { frozenText } from '../frozen.ts'
import { isLive } from '../order-status.ts'
import type { Quote } from '../step-types.ts'
import type { Book, Order } from '../types.ts'
import type { LimitName } from './types.ts'

/** A buy and its sale within this long are one round, ms. */
const REPEAT_MS = 10 * 60_000
/** Orders of unknown outcome are counted this long, ms. */
export const UNKNOWN_MS = 60 * 60_000

const MINUTE_MS = 60_000

/** Won a live buy may still cost. */
const stillCosts = (order: Order): number => (order.count - order.filledCount) * order.reservedPrice

/** Won that live buys among these orders may still cost. */
export const liveBuyAmount = (live: readonly Order[]): number =>
  live.reduce((sum, order) => (order.side === 'buy' ? sum + stillCosts(order) : sum), 0)

/** Won that the shares of the whole account cost, those to come among them, and in live buys. */
export function investedAmount(book: Book): number {
  let sum = stockBuyAmount(book)
  for (const order of book.orders.values()) if (order.side === 'buy' && isLive(order.status)) sum += stillCosts(order)
  return sum
}

/** Won put into buys on the book's day: filled, and what live ones may still cost. */
export function boughtToday(book: Book): number {
  let sum = 0
  for (const order of book.orders.values()) {
    if (order.side !== 'buy' || order.day !== book.day) continue
    sum += order.filledAmount
    if (isLive(order.status)) sum += stillCosts(order)
  }
  return sum
}

/**
 * Won lost, negative when there is a gain: what today's sales lost after costs, and what all lots would lose at the last
 * known prices, before the costs of selling. A lot whose stock has no price yet, or one of another share than the lot's (a
 * split that nobody has settled), counts at cost.
 */
export function lossOf(book: Book, ctx: Prices): number {
  let gain = book.gainToday
  for (const stock of book.stocks.values()) {
    const { issue, lots } = stock
    const quote = lots.length === 0 ? undefined : ctx.quote(issue.code)
    const price = quote === undefined || frozenText(stock, quote.moved) !== null ? null : quote.price
    gain += unrealisedGain(remainCount(lots), remainAmount(lots), price) ?? 0
  }
  return -gain
}

export function ordersInMinute(book: Book, now: number): number {
  let count = 0
  for (const order of book.orders.values()) if (order.createdAt > now - MINUTE_MS) count += 1
  return count
}

/**
 * Buys of the last ten minutes whose own shares were sold again, per stock: a ladder that turns in circles. A lot keeps
 * the number its buy reserved for it, so the sale names the buy.
 */
export function repeats(book: Book, now: number): ReadonlyMap<string, number> {
  const since = now - REPEAT_MS
  const sold = new Set<number>()
  for (const order of book.orders.values()) {
    if (order.side === 'sell' && order.filledCount > 0) for (const { lotId } of order.lots) sold.add(lotId)
  }
  const counts = new Map<string, number>()
  for (const order of book.orders.values()) {
    const again = order.side === 'buy' && order.createdAt > since && order.lots.some(({ lotId }) => sold.has(lotId))
    if (again) counts.set(order.code, (counts.get(order.code) ?? 0) + 1)
  }
  return counts
}

/** Orders of the last hour whose outcome was not known at some time. */
export const unknownInHour = (book: Book, now: number): number =>
  book.limits.lostAt.filter((at) => at > now - UNKNOWN_MS).length

interface Prices {
  readonly quote: (code: string) => Pick<Quote, 'price' | 'moved'> | undefined
}

/** How much of each limit is used now; null where a limit looks at one order only, and where nothing adds up. */
export function limitUse(book: Book, ctx: Prices & { readonly now: number }): Record<LimitName, number | null> {
  return {
    positionAmount: investedAmount(book),
    lossAmount: Math.max(0, lossOf(book, ctx)),
    dailyBuyAmount: boughtToday(book),
    orderAmount: null,
    ordersPerMinute: ordersInMinute(book, ctx.now),
    repeatCount: Math.max(0, ...repeats(book, ctx.now).values()),
    personOrderAmount: null,
    sellCollarPercent: null,
    unknownPerHour: unknownInHour(book, ctx.now),
  }
}
