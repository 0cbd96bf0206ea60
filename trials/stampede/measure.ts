import { floorToTick, nextBuyPrice, type Fact as BookFact, type Settings } from '@digger/core'
import type { Fact } from '@digger/kis-sim'
import type { Db } from '@digger/database'

/** When a stock first traded at a price. */
export interface Fall {
  readonly at: number
  readonly code: string
  readonly price: number
}

export interface Waits {
  /** The time from the first trade at a next buy price (or the fill before, whichever was later) to the order at the broker, ms. */
  readonly waited: readonly number[]
  /** What was due for longer than the run went on afterwards, and never sent: `code at price`. */
  readonly unmet: readonly string[]
}

/** Computes what this account's ladders should have bought on the way down, from the broker's own events and the market's path. */
export function waitsOf(events: readonly Fact[], path: readonly Fall[], settings: (code: string) => Settings): Waits {
  const waited: number[] = []
  const unmet: string[] = []
  for (const [code, falls] of Map.groupBy(path, (one) => one.code)) {
    const ladder = settings(code)
    let level = floorToTick(ladder.maxBuyPrice ?? 0, 'stock')
    let after = 0
    for (;;) {
      const reached = falls.find(({ price }) => price <= level)
      if (reached === undefined) break
      const due = Math.max(reached.at, after)
      const order = acceptedBuy(events, code, after)
      if (order === undefined) {
        unmet.push(`${code} at ${level}`)
        break
      }
      waited.push(Math.max(0, order.at - due))
      const fill = events.find((event) => event.kind === 'filled' && event.odno === order.odno)
      if (fill?.kind !== 'filled') break
      after = fill.at + 1
      level = nextBuyPrice({ ...ladder, lastBuyPrice: fill.price }, 'stock') ?? 0
    }
  }
  return { waited, unmet }
}

function acceptedBuy(events: readonly Fact[], code: string, after: number) {
  for (const event of events) {
    if (event.kind !== 'accepted' || event.order.change !== null) continue
    const { order } = event
    if (order.side === 'buy' && order.code === code && order.at >= after) return order
  }
  return undefined
}

/**
 * How long each fill took from when it could be read in the broker's list (`listingMs` after its order was taken at the
 * earliest) to its booking, ms; Infinity when it is in no book.
 */
export async function agesOf(db: Db, userId: string, events: readonly Fact[], listingMs: number): Promise<number[]> {
  const orders = await db.selectFrom('account_order').select(['id', 'odno']).where('user_id', '=', userId).execute()
  const ids = new Map(orders.map(({ id, odno }) => [odno, id]))
  const journal = await db.selectFrom('journal').select('fact').where('user_id', '=', userId).execute()
  const booked = Map.groupBy(
    journal.flatMap(({ fact }): Extract<BookFact, { kind: 'orderFilled' }>[] =>
      fact.kind === 'orderFilled' ? [fact] : [],
    ),
    (fact) => fact.orderId,
  )
  const filled = new Map<string, number>()
  const takenAt = new Map(events.flatMap((event) => (event.kind === 'accepted' ? [[event.order.odno, event.at]] : [])))
  return events.flatMap((event) => {
    if (event.kind !== 'filled') return []
    const count = (filled.get(event.odno) ?? 0) + event.count
    filled.set(event.odno, count)
    const at = booked.get(ids.get(event.odno) ?? -1)?.find((fact) => fact.count >= count)?.at
    const listed = Math.max(event.at, (takenAt.get(event.odno) ?? 0) + listingMs)
    return at === undefined ? Number.POSITIVE_INFINITY : Math.max(0, at - listed)
  })
}

/** Counts orders by side and status, as text, and the most of one account. */
export async function ordersOf(db: Db): Promise<{ ended: string; most: number }> {
  const rows = await db.selectFrom('account_order').select(['user_id', 'side', 'status']).execute()
  const kinds = Map.groupBy(rows, ({ side, status }) => `${side} ${status}`)
  const most = Math.max(0, ...[...Map.groupBy(rows, (row) => row.user_id).values()].map((own) => own.length))
  return { ended: [...kinds].map(([kind, own]) => `${own.length} ${kind}`).join(', '), most }
}

/** `median / p99 / longest` of some times, in seconds. */
export function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): string => `${((sorted[Math.floor((sorted.length - 1) * part)] ?? 0) / 1_000).toFixed(2)} s`
  return sorted.length === 0 ? 'none' : `${at(0.5)} / ${at(0.99)} / ${at(1)}`
}
