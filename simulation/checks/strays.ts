import { FIRST_PHANTOM_NUMBER, type Fact, type SimOrder } from '@digger/kis-sim'
import type { Stage } from '../stage.ts'
import { LISTED_MS } from './latency.ts'
import type { CommittedOrder, CommittedRows } from './rows.ts'

type AcceptedOrder = Extract<Fact, { kind: 'accepted' }>['order']
/** What is read of the stage. */
interface StageOfStrays {
  readonly sim: { readonly faults: Pick<Stage['sim']['faults'], 'carrying'>; readonly orders: Stage['sim']['orders'] }
  readonly simulation: Pick<Stage['simulation'], 'epoch' | 'now'>
}
interface Of {
  readonly userId: string
  readonly account: string
}

/**
 * What the network and the broker made of orders by themselves: the second one of a request that was delivered twice, one
 * that came when its row was given up, numbers of orders that never existed. No server can prevent them, and each must
 * notice them (`noticed.ts`). They are known here one by one, and nothing else is forgiven for their sake.
 */
export class Strays {
  readonly #stage: StageOfStrays
  readonly #rows: Pick<CommittedRows, 'orders'>
  /** By account and number: the number of the other order of the same request. */
  readonly #twins = new Map<string, string>()
  readonly #seconds = new Set<string>()
  /** What the orders look like that came too late. */
  readonly #late = new Map<string, string>()
  #last: AcceptedOrder | null = null

  constructor(stage: StageOfStrays, rows: Pick<CommittedRows, 'orders'>) {
    this.#stage = stage
    this.#rows = rows
  }

  /** The exchange takes an order; `rows`: those that look like it. Returns what was done to it, null for a server's own. */
  note(order: AcceptedOrder, rows: readonly CommittedOrder[]): string | null {
    const { carrying } = this.#stage.sim.faults
    const first = this.#last
    this.#last = order
    if (carrying === 'doubleRequest' && first !== null) {
      this.#twins.set(keyOf(order), first.odno).set(keyOf(first), order.odno)
      this.#seconds.add(keyOf(order))
      return 'a second time'
    }
    if (carrying !== 'lateRequest') return null
    const like = `${order.account} ${order.code} ${order.side} ${order.count} ${order.price}`
    const isAdopted = (key: string): boolean => rows.some(({ odno }) => key === `${order.account}/${odno}`)
    const before = [...this.#late].filter(([key, other]) => other === like && !isAdopted(key))
    const now = this.#stage.simulation.epoch + this.#stage.simulation.now
    if (rows.filter((row) => isOverdue(row, now)).length <= before.length) return null
    this.#late.set(keyOf(order), like)
    return 'too late'
  }

  /** Whether the order is none of the book's: of two of one request, and of late ones, that which the book has by its number is. */
  isStray({ userId, account }: Of, odno: string): boolean {
    const key = `${account}/${odno}`
    const twin = this.#twins.get(key)
    if (twin === undefined && !this.#late.has(key)) return false
    const named = new Set(this.#rows.orders(userId).map((row) => row.odno))
    if (named.has(odno)) return false
    return twin === undefined || named.has(twin) || this.#seconds.has(key)
  }

  /** Stocks of which an order ever was one, by account: what the server made of it since may wait for a person. */
  codesOf({ account }: Of): string[] {
    const met = this.#stage.sim
      .orders(account)
      .filter((order) => this.#seconds.has(keyOf(order)) || this.#late.has(keyOf(order)))
    return met.map(({ code }) => code)
  }

  /** All orders of an account that are none of the book's. */
  of(person: Of): SimOrder[] {
    return this.#stage.sim.orders(person.account).filter(({ odno }) => this.isStray(person, odno))
  }
}

/** A number that the broker gave for an order it does not have. */
export const isPhantom = (odno: string | null): boolean => odno !== null && Number(odno) >= FIRST_PHANTOM_NUMBER

/** It ended without ever having had a number at the broker. */
export const isGivenUp = ({ live, odno }: CommittedOrder): boolean => !live && odno === null

/** Given up, or to be: what comes to the broker now need not be listed before its lateness is over. */
const isOverdue = (row: CommittedOrder, now: number): boolean =>
  isGivenUp(row) ||
  (row.status === 'unknown' && row.odno === null && row.absent_from !== null && row.absent_from <= now + LISTED_MS)

const keyOf = ({ account, odno }: AcceptedOrder): string => `${account}/${odno}`
