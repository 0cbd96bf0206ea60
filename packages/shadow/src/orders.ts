import { evolve, emptyBook, kstDay, type Book, type Fact, type Order } from '@digger/core'
import type { Db } from '@digger/database'
import { LRUCache } from 'lru-cache'
import { shadowFacts } from './journal.ts'

/** Of days of KST, `YYYYMMDD`. */
export interface OrderRange {
  readonly from: string
  readonly to: string
  /** Null: every stock. */
  readonly code: string | null
}

/** One journal up to a row. */
interface Replayed {
  seq: number
  book: Book
  /** Worth seeing, of all days, by their numbers. */
  readonly orders: Map<number, Order>
}

/** Of all users together, orders: some 50 MB. */
const MAX_KEPT = 100_000
/** A page asks every few seconds; this long after the last time nobody looks any more, ms. */
const LOOKED_AT_MS = 10 * 60_000

/**
 * Orders that would have been sent, of the users whose page is looked at. A journal only grows, whoever writes it: what was read of it
 * stays right, and only rows after it are read again.
 */
export class ShadowOrders {
  readonly #db: Db
  readonly #replayed = new LRUCache<string, Replayed>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ orders }) => orders.size + 1,
    ttl: LOOKED_AT_MS,
  })

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * With what became of them, newest first. Those taken back without a fill after their half minute are left out: while a price stands
   * at the trigger there is a new one each time.
   */
  async of(userId: string, range: OrderRange): Promise<Order[]> {
    const replayed = this.#replayed.get(userId) ?? { seq: 0, book: emptyBook(''), orders: new Map<number, Order>() }
    for await (const { seq, fact } of shadowFacts(this.#db, userId, replayed.seq))
      // Whoever asked meanwhile has taken it in already.
      if (seq === replayed.seq + 1) add(replayed, fact)
    this.#replayed.set(userId, replayed)
    return [...replayed.orders.values()].filter((order) => isWithin(order, range)).toReversed()
  }
}

function add(replayed: Replayed, fact: Fact): void {
  const book = evolve(replayed.book, fact)
  for (const id of ordersOf(fact)) {
    const order = book.orders.get(id)
    if (order === undefined) continue
    if (isWorthSeeing(order)) replayed.orders.set(id, order)
    else replayed.orders.delete(id)
  }
  replayed.book = book
  replayed.seq += 1
}

const ordersOf = (fact: Fact): number[] =>
  fact.kind === 'orderIntended' ? [fact.order.id] : 'orderId' in fact ? [fact.orderId] : []

const isWithin = ({ code, createdAt }: Order, range: OrderRange): boolean => {
  const day = kstDay(createdAt)
  return range.from <= day && day <= range.to && (range.code === null || range.code === code)
}

const isWorthSeeing = ({ side, origin, status, filledCount }: Order): boolean =>
  filledCount > 0 || status !== 'cancelled' || side === 'sell' || origin === 'person'
