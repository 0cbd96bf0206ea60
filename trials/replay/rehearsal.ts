import { emptyBook, evolve, type Fact, type Order } from '@digger/core'
import type { SteppedServer } from '@digger/kis-sim'
import type { OrderRow } from '@digger/database'
import type { DiggerServer } from '@digger/server'
import { shadowFacts } from '@digger/shadow'

/** Orders that would have been made, with what would have become of them. */
export type Rehearsal = readonly Order[]

/** Time waits for the rehearsal, too. */
export const bothOf = ({ engine: { activity }, shadows }: DiggerServer): SteppedServer => ({
  get busy() {
    return activity.busy || shadows.busy
  },
  get queue() {
    return activity.queue + shadows.queue
  },
  frames: (userId) => activity.frames(userId),
  unanswered: (userId) => activity.unanswered(userId),
  concerns: (code, price) => shadows.concerns(code) || activity.concerns(code, price),
  tick: () => activity.tick(),
})

/** Of the whole run: the book itself forgets the orders of past days. */
export async function rehearsalOf({ database: { db } }: DiggerServer, userId: string): Promise<Rehearsal> {
  const orders = new Map<number, Order>()
  let book = emptyBook('')
  for await (const { fact } of shadowFacts(db, userId)) {
    book = evolve(book, fact)
    for (const id of touchedBy(fact)) {
      const order = book.orders.get(id)
      if (order !== undefined) orders.set(id, order)
    }
  }
  return [...orders.values()]
}

const touchedBy = (fact: Fact): number[] =>
  fact.kind === 'orderIntended' ? [fact.order.id] : 'orderId' in fact ? [fact.orderId] : []

/** One order of either run, of one stock, in the sequence of that stock. */
export interface Compared {
  readonly side: 'buy' | 'sell'
  readonly price: number
  readonly count: number
  /** Shares that filled, for how many won; at what time the book learned of it is not compared. */
  readonly filled: number
  readonly amount: number
}

export interface Difference {
  readonly code: string
  /** Of the first order whose fill differs, in the sequence of its stock. */
  readonly fillAt: number | null
  /** Of the first order that differs itself; null: none does. */
  readonly orderAt: number | null
  readonly text: string
}

/** Where a rehearsal leaves the real run, stock by stock: the first fill that differs, and the first order. */
export function differenceOf(code: string, real: readonly Compared[], shadow: readonly Compared[]): Difference {
  const length = Math.max(real.length, shadow.length)
  const first = (differs: (one: Compared | undefined, other: Compared | undefined) => boolean): number | null => {
    for (let n = 0; n < length; n += 1) if (differs(real[n], shadow[n])) return n
    return null
  }
  const orderAt = first((one, other) => textOf(one) !== textOf(other))
  const fillAt = first((one, other) => one?.filled !== other?.filled || one?.amount !== other?.amount)
  return { code, fillAt, orderAt, text: explained(real[fillAt ?? 0], shadow[fillAt ?? 0], fillAt) }
}

const textOf = (order: Compared | undefined): string =>
  order === undefined ? 'none' : `${order.side} ${order.count} @ ${order.price}`

function explained(real: Compared | undefined, shadow: Compared | undefined, at: number | null): string {
  if (at === null) return 'every fill is the same'
  const filled = (one: Compared | undefined): string =>
    one === undefined
      ? 'there was none'
      : one.filled === 0
        ? 'nothing filled'
        : `${one.filled} filled for ${one.amount} won`
  return `order ${at + 1}, ${textOf(real ?? shadow)}: really ${filled(real)}, in the shadow ${filled(shadow)}`
}

interface Runs {
  readonly real: { readonly book: { readonly orders: readonly OrderRow[] } }
  readonly shadow: { readonly rehearsal: Rehearsal }
}

/** Of each stock that either run traded. */
export function differencesOf({ real, shadow }: Runs): Difference[] {
  const { orders } = real.book
  const codes = [...new Set([...orders, ...shadow.rehearsal].map(({ code }) => code))].sort()
  const inEarnest = (code: string): Compared[] =>
    orders
      .filter((order) => order.code === code)
      .sort((a, b) => a.id - b.id)
      .map((row) => ({ ...of(row), filled: row.filled_count, amount: row.filled_amount }))
  const rehearsed = (code: string): Compared[] =>
    shadow.rehearsal
      .filter((order) => order.code === code)
      .map((order) => ({ ...of(order), filled: order.filledCount, amount: order.filledAmount }))
  return codes.map((code) => differenceOf(code, inEarnest(code), rehearsed(code)))
}

const of = ({ side, price, count }: Pick<Order, 'side' | 'price' | 'count'>) => ({ side, price, count })
