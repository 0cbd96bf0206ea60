import { evolve, emptyBook, kstDay, type Fact, type Order } from '@digger/core'
import type { Db } from '@digger/database'
import { shadowFacts } from './journal.ts'

/** Of days of KST, `YYYYMMDD`. */
export interface OrderRange {
  readonly from: string
  readonly to: string
  /** Null: every stock. */
  readonly code: string | null
}

/**
 * Orders that would have been sent, with what became of them, newest first. Those taken back without a fill after their half
 * minute are left out: while a price stands at the trigger there is a new one each time.
 */
export async function shadowOrders(db: Db, userId: string, range: OrderRange): Promise<Order[]> {
  const orders = new Map<number, Order>()
  let book = emptyBook('')
  for await (const { fact } of shadowFacts(db, userId)) {
    book = evolve(book, fact)
    for (const id of ordersOf(fact)) {
      const order = book.orders.get(id)
      if (order !== undefined && isWithin(order, range)) orders.set(id, order)
    }
  }
  return [...orders.values()].filter(isWorthSeeing).toReversed()
}

const ordersOf = (fact: Fact): number[] =>
  fact.kind === 'orderIntended' ? [fact.order.id] : 'orderId' in fact ? [fact.orderId] : []

const isWithin = ({ code, createdAt }: Order, range: OrderRange): boolean => {
  const day = kstDay(createdAt)
  return range.from <= day && day <= range.to && (range.code === null || range.code === code)
}

const isWorthSeeing = ({ side, origin, status, filledCount }: Order): boolean =>
  filledCount > 0 || status !== 'cancelled' || side === 'sell' || origin === 'person'
