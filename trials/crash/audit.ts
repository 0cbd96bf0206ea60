import type { OrderRow, Db } from '@digger/database'
import { verifyAccount } from '@digger/storage'
import { findUserByEmail } from '@digger/identity'
import type { Truth } from '../agreement/agreement.ts'
import { disagreements } from '../agreement/agreement.ts'
import { readBook } from '../agreement/book.ts'
import { duplicateOrders } from './duplicate-orders.ts'
import type { ConfirmedSale, Person } from './person.ts'

export interface Audit {
  readonly problems: readonly string[]
  readonly orders: number
  readonly fills: number
  /** Orders whose verdict was lost, and how these ended. */
  readonly lost: number
  readonly found: number
  readonly notPlaced: number
}

/** Everything that must hold for one user at the end. */
export async function audit(db: Db, person: Person, truth: Truth): Promise<Audit> {
  const user = await findUserByEmail(db, person.email)
  if (!user) return { problems: [`${person.email} is gone`], orders: 0, fills: 0, lost: 0, found: 0, notPlaced: 0 }
  const book = await readBook(db, user.id)
  const lots = await db.selectFrom('order_lot').selectAll().where('user_id', '=', user.id).execute()
  const { differences } = await verifyAccount(db, user.id)
  const journal = await db.selectFrom('journal').select('fact').where('user_id', '=', user.id).execute()
  const facts = journal.map((row) => row.fact)
  const missing = person.sales.filter(
    (sale) =>
      !book.orders.some(
        (order) =>
          order.origin === 'person' &&
          order.side === 'sell' &&
          order.code === sale.code &&
          order.price === sale.price &&
          order.odno !== null &&
          madeDuring(order.created_at, sale),
      ),
  )
  const problems = [
    ...disagreements(book, truth),
    ...duplicateOrders(truth.events, book.orders, lots),
    ...differences,
    ...missing.map((sale) => lostSale(sale, book.orders)),
  ].map((text) => `${person.email}: ${text}`)
  const lost = new Set(facts.flatMap((fact) => (fact.kind === 'orderLost' ? [fact.orderId] : [])))
  return {
    problems,
    orders: book.orders.length,
    fills: truth.events.filter((event) => event.kind === 'filled').length,
    lost: lost.size,
    found: facts.filter((fact) => fact.kind === 'orderFound').length,
    notPlaced: book.orders.filter(({ id, status }) => status === 'notPlaced' && lost.has(id)).length,
  }
}

/** One machine's clock, read in two processes, is never equal to the millisecond. */
const CLOCK_TOLERANCE_MS = 50
/** A clock that the broker sets right is right to a second only. */
const BROKER_CLOCK_TOLERANCE_MS = 1_000

/** Where the server's clock was wrong, nobody knows whether the broker had set it by then: both times are allowed. */
function madeDuring(at: number, { from, to, clockOff }: ConfirmedSale): boolean {
  const slack = clockOff === 0 ? CLOCK_TOLERANCE_MS : BROKER_CLOCK_TOLERANCE_MS
  return [0, clockOff].some((off) => at - off >= from - slack && at - off <= to + slack)
}

/** The line names the times, so that a clock's error can be distinguished from a lost order. */
function lostSale({ code, price, from, to }: ConfirmedSale, orders: readonly OrderRow[]): string {
  const alike = orders.filter((order) => order.code === code && order.side === 'sell' && order.price === price)
  const times = alike.map(({ id, created_at: at }) => `order ${id} made ${at - from} ms after it was asked`)
  return `a confirmed sale of ${code} at ${price}, asked ${from}, answered ${to}, is in no book (${times.join(', ') || 'none like it'})`
}
