import type { Fact, SimHolding } from '@digger/kis-sim'
import type { OrderRow, TradeRow } from '@digger/database'
import { keyOf } from '../agreement/agreement.ts'

type Accepted = Extract<Fact, { kind: 'accepted' }>['order']
type Looked = 'accepted' | 'filled' | 'reduced'

/** What is looked at of the events of the broker. */
export type BrokerEvent =
  | { readonly kind: Exclude<Fact['kind'], Looked> }
  | { readonly kind: 'accepted'; readonly order: Pick<Accepted, 'day' | 'odno' | 'code' | 'side' | 'count' | 'change'> }
  | {
      readonly kind: 'filled' | 'reduced'
      readonly at: number
      readonly day: string
      readonly odno: string
      readonly count: number
    }

/** And of the orders of the book. */
export type BookOrder = Pick<OrderRow, 'id' | 'day' | 'odno' | 'code' | 'side' | 'origin' | 'created_at'>

export interface Since {
  /** When the copy began, epoch ms. */
  readonly restoredAt: number
  /** When people corrected a stock, by code. */
  readonly fixedAt: ReadonlyMap<string, readonly number[]>
}

/** A fill of an order that is not its own a server learns from the next list: every quarter of a minute, and the answer takes its time, ms. */
const NOTICED_WITHIN_MS = 25_000

interface Stranger {
  readonly side: 'buy' | 'sell'
  remaining: number
  /** When, epoch ms. */
  readonly filledAt: number[]
}

/**
 * Goes through what really happened at the broker, and names each automatic order of the copy in a stock of which its book lacked
 * something: an order that had filled and nobody had corrected, or one of the same side that rested beside it.
 */
export function ordersInDifferingStocks(
  events: readonly BrokerEvent[],
  orders: readonly BookOrder[],
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
        const one = { side, remaining: count, filledAt: [] }
        others.push(one)
        byKey.set(keyOf(day, odno), one)
      } else if (row.origin === 'auto' && row.created_at >= restoredAt)
        found.push(...beside(row, others, fixedAt.get(code)))
    }
    if (event.kind !== 'filled' && event.kind !== 'reduced') continue
    const other = byKey.get(keyOf(event.day, event.odno))
    if (other === undefined) continue
    other.remaining -= event.count
    if (event.kind === 'filled') other.filledAt.push(event.at)
  }
  return found
}

function beside(row: BookOrder, others: readonly Stranger[], fixedAt: readonly number[] = []): string[] {
  const { id, code, side, created_at: at } = row
  const found: string[] = []
  const isOpen = (filledAt: number): boolean =>
    filledAt < at - NOTICED_WITHIN_MS && !fixedAt.some((fixed) => fixed >= filledAt && fixed <= at)
  if (others.some((one) => one.filledAt.some(isOpen)))
    found.push(`order ${id} (${side} ${code}) left though fills of ${code} are in no book`)
  if (others.some((one) => one.side === side && one.remaining > 0))
    found.push(`order ${id} (${side} ${code}) left beside one that is in no book`)
  return found
}

interface HeldBook {
  readonly trades: readonly Pick<TradeRow, 'code' | 'count' | 'closed'>[]
  readonly issues: ReadonlyMap<string, unknown>
}

/** Stocks of which book and broker have other shares at the end. */
export function sharesThatDiffer(
  { trades, issues }: HeldBook,
  holdings: readonly Pick<SimHolding, 'code' | 'count'>[],
): string[] {
  const found: string[] = []
  for (const code of issues.keys()) {
    const open = trades.filter((trade) => trade.code === code && !trade.closed)
    const book = open.reduce((sum, { count }) => sum + count, 0)
    const broker = holdings.find((one) => one.code === code)?.count ?? 0
    if (book !== broker) found.push(`${code}: ${book} shares in the book, ${broker} at the broker`)
  }
  return found
}
