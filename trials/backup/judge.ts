import type { Fact, SimHolding } from '@digger/kis-sim'
import type { OrderRow } from '@digger/database'
import { type Book, keyOf } from '../agreement/agreement.ts'

export interface Since {
  /** When the copy began, epoch ms. */
  readonly restoredAt: number
  /** When a person corrected the stock last, by code. */
  readonly fixedAt: ReadonlyMap<string, number>
}

interface Stranger {
  readonly side: 'buy' | 'sell'
  remaining: number
  filled: number
}

/**
 * Goes through what really happened at the broker, and names each automatic order of the copy in a stock of which its book lacked
 * something: an order that had filled and nobody had corrected, or one of the same side that rested beside it.
 */
export function ordersInDifferingStocks(
  events: readonly Fact[],
  orders: readonly OrderRow[],
  { restoredAt, fixedAt }: Since,
): string[] {
  const own = new Map(orders.flatMap((row) => (row.odno === null ? [] : [[keyOf(row.day, row.odno), row] as const])))
  const strangers = new Map<string, Stranger[]>()
  const byKey = new Map<string, Stranger>()
  const found: string[] = []
  for (const event of events) {
    if (event.kind === 'accepted' && event.order.change === null) {
      const { day, odno, code, side, count } = event.order
      const row = own.get(keyOf(day, odno))
      const others = strangers.get(code) ?? []
      strangers.set(code, others)
      if (row === undefined) {
        const one = { side, remaining: count, filled: 0 }
        others.push(one)
        byKey.set(keyOf(day, odno), one)
      } else if (row.origin === 'auto' && row.created_at >= restoredAt)
        found.push(...beside(row, others, fixedAt.get(code)))
    }
    if (event.kind !== 'filled' && event.kind !== 'reduced') continue
    const other = byKey.get(keyOf(event.day, event.odno))
    if (other === undefined) continue
    other.remaining -= event.count
    if (event.kind === 'filled') other.filled += event.count
  }
  return found
}

function beside(
  { id, code, side, created_at: at }: OrderRow,
  others: readonly Stranger[],
  fixedAt = Infinity,
): string[] {
  const found: string[] = []
  if (at < fixedAt && others.some(({ filled }) => filled > 0))
    found.push(`order ${id} (${side} ${code}) left though fills of ${code} are in no book`)
  if (others.some((one) => one.side === side && one.remaining > 0))
    found.push(`order ${id} (${side} ${code}) left beside one that is in no book`)
  return found
}

/** Stocks of which book and broker have other shares at the end. */
export function sharesThatDiffer({ trades, issues }: Book, holdings: readonly SimHolding[]): string[] {
  const found: string[] = []
  for (const code of issues.keys()) {
    const open = trades.filter((trade) => trade.code === code && !trade.closed)
    const book = open.reduce((sum, { count }) => sum + count, 0)
    const broker = holdings.find((one) => one.code === code)?.count ?? 0
    if (book !== broker) found.push(`${code}: ${book} shares in the book, ${broker} at the broker`)
  }
  return found
}
