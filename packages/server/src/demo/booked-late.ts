import type { Fact } from '@digger/kis-sim'
import type { Db } from '../db/open.ts'

const ALWAYS = { from: 0, to: Number.POSITIVE_INFINITY }

/** The broker's own times of fills against the book's: those in the book after more than `mostMs`, one line each. */
export async function bookedLate(
  db: Db,
  userId: string,
  events: readonly Fact[],
  mostMs: number,
  { from, to } = ALWAYS,
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
  return events.flatMap((event) => {
    if (event.kind !== 'filled') return []
    const key = `${event.day}/${event.odno}`
    const count = (filled.get(key) ?? 0) + event.count
    filled.set(key, count)
    if (event.at < from || event.at > to) return []
    const at = booked.get(ids.get(key) ?? -1)?.find((fact) => fact.count >= count)?.at
    const age = at === undefined ? Number.POSITIVE_INFINITY : at - event.at
    return age <= mostMs
      ? []
      : [`fill of ${key} at ${event.at} booked after ${age} ms, allowed are ${Math.round(mostMs)}`]
  })
}
