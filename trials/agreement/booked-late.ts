import type { Fact } from '@digger/kis-sim'
import type { Db } from '@digger/database'

/** Which fills count, epoch ms, and how long the broker may keep a new order out of its lists, ms. */
interface Window {
  readonly from: number
  readonly to: number
  readonly listingMs: number
}

const WHOLE_RUN: Window = { from: 0, to: Number.POSITIVE_INFINITY, listingMs: 0 }

/**
 * Compares the broker's own times of fills with the book's. Returns one line for each fill booked more than `maxDelayMs`
 * after the broker's list had to show it.
 */
export async function bookedLate(
  db: Db,
  userId: string,
  events: readonly Fact[],
  maxDelayMs: number,
  { from, to, listingMs }: Window = WHOLE_RUN,
): Promise<string[]> {
  const orders = await db
    .selectFrom('account_order')
    .select(['id', 'day', 'odno'])
    .where('user_id', '=', userId)
    .execute()
  const journal = await db.selectFrom('journal').select('fact').where('user_id', '=', userId).execute()
  const facts = journal.map(({ fact }) => fact).filter((fact) => fact.kind === 'orderFilled')
  const booked = Map.groupBy(facts, (fact) => fact.orderId)
  const ids = new Map(orders.map(({ id, day, odno }) => [`${day}/${odno}`, id]))
  const filled = new Map<string, number>()
  const takenAt = new Map<string, number>(
    events.flatMap((event) =>
      event.kind === 'accepted' ? [[`${event.order.day}/${event.order.odno}`, event.order.at] as const] : [],
    ),
  )
  return events.flatMap((event) => {
    if (event.kind !== 'filled') return []
    const key = `${event.day}/${event.odno}`
    const count = (filled.get(key) ?? 0) + event.count
    filled.set(key, count)
    if (event.at < from || event.at > to) return []
    const at = booked.get(ids.get(key) ?? -1)?.find((fact) => fact.count >= count)?.at
    const listed = Math.max(event.at, (takenAt.get(key) ?? 0) + listingMs)
    const age = at === undefined ? Number.POSITIVE_INFINITY : at - listed
    return age <= maxDelayMs
      ? []
      : [`fill of ${key} at ${event.at} booked ${age} ms after it was listed, allowed are ${Math.round(maxDelayMs)}`]
  })
}
