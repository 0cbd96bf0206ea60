import { costs } from '../krx/cost.ts'
import { kstDay } from '../krx/kst.ts'
import { remainCount } from '../ladder/buy.ts'
import type { Book, Holding } from './types.ts'

/** Won that fills booked so far, of the orders the book remembers, brought in (sales) or took out (buys), after costs. */
export function cashFlow(book: Book): number {
  let flow = 0
  for (const { side, code, filledAmount, updatedAt } of book.orders.values()) {
    const stock = book.stocks.get(code)
    if (filledAmount === 0 || stock === undefined) continue
    const { market, kind } = stock.issue
    const { fee, tax } = costs({ side, amount: filledAmount, market, kind, day: kstDay(updatedAt) })
    flow += (side === 'sell' ? filledAmount : -filledAmount) - fee - tax
  }
  return flow
}

/** Whether the broker holds just the shares the book holds, of every stock of the book; then nothing is filled but not booked. */
export function sameShares(book: Book, holdings: readonly Holding[]): boolean {
  const held = new Map(holdings.map(({ code, count }) => [code, count]))
  return [...book.stocks].every(([code, { lots }]) => remainCount(lots) === (held.get(code) ?? 0))
}
