import type { Side } from '@digger/core'
import type { SimOrder } from '../ledger/account.ts'
import { DIVISIONS } from './divisions.ts'
import type { SimIssue } from './issue.ts'

interface Match {
  readonly price: number
  readonly count: number
  /** The client order on the other side; null: the market itself. */
  readonly against: SimOrder | null
}

/**
 * What an arriving order would trade at once: best price first, at each price waiting clients before the market's own
 * shares, each at the price of the side that waited. Changes nothing.
 */
export function matchesFor(issue: SimIssue, venue: 'KRX' | 'NXT', side: Side, limit: number, count: number): Match[] {
  const book = issue.books[venue]
  const waiting = book.side(side === 'buy' ? 'sell' : 'buy')
  const worse = (a: number, b: number): boolean => (side === 'buy' ? a > b : a < b)
  // An order of the same side that waits at this price or a better one is served first, as soon as somebody trades.
  const [ahead] = book.side(side)
  if (ahead && !worse(limit, book.limit(ahead))) return []
  const matches: Match[] = []
  let left = count
  let next = 0
  const quotes = issue.quotes[venue]
  let level = quotes.facing(side)
  while (left > 0) {
    const client = waiting[next]
    const clientPrice = client ? book.limit(client) : null
    const first = client && clientPrice !== null && !worse(clientPrice, level)
    const price = first ? clientPrice : level
    if (worse(price, limit) || price < issue.limits.lower || price > issue.limits.upper) break
    const offered = first ? client.remaining : quotes.countAt(level)
    const taken = Math.min(left, offered)
    if (taken > 0) matches.push({ price, count: taken, against: first ? client : null })
    left -= taken
    if (first) next++
    else level = quotes.beyond(level, side)
  }
  return matches
}

interface Touch {
  readonly order: SimOrder
  readonly price: number
  readonly count: number
}

/**
 * Waiting orders a trade of the market reaches. It went through better-priced ones, so those fill whole; the ones at its
 * price share its count in the order they came.
 */
export function touchedBy(issue: SimIssue, venue: 'KRX' | 'NXT', price: number, count: number): Touch[] {
  const book = issue.books[venue]
  const touched: Touch[] = []
  let left = count
  for (const side of ['buy', 'sell'] as const) {
    for (const order of book.side(side)) {
      const limit = book.limit(order)
      const through = side === 'buy' ? limit > price : limit < price
      if (!through && (limit !== price || left <= 0)) break
      const filled = through ? order.remaining : Math.min(left, order.remaining)
      if (!through) left -= filled
      // An order without a price of its own trades at the market's.
      const own = DIVISIONS.get(order.division)?.pricing !== 'market'
      touched.push({ order, price: own ? limit : price, count: filled })
    }
  }
  return touched
}
