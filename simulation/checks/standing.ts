import type { Fact } from '@digger/kis-sim'
import type { Person } from '../people/person.ts'
import type { CommittedOrder, CommittedRows } from './rows.ts'
import type { Strays } from './strays.ts'
import { Violation } from '../violation.ts'

type AcceptedOrder = Extract<Fact, { kind: 'accepted' }>['order']

/** An order that stands at the exchange, and the row it came of. */
interface Standing {
  readonly order: AcceptedOrder
  readonly row: number
  remaining: number
}

/** What stands at the exchange together: never two buys of a stock, never two sales of one lot. */
export class StandingOrders {
  readonly #rows: Pick<CommittedRows, 'ordersOf' | 'lotsShared'>
  readonly #strays: Pick<Strays, 'isStray'>
  readonly #standing = new Map<string, Standing>()
  readonly #named = new Set<string>()

  constructor(rows: Pick<CommittedRows, 'ordersOf' | 'lotsShared'>, strays: Pick<Strays, 'isStray'>) {
    this.#rows = rows
    this.#strays = strays
  }

  /** `rows`: those that look like the order. Returns the one it came of. */
  add(
    person: Pick<Person, 'index' | 'userId' | 'account'>,
    order: AcceptedOrder,
    rows: readonly CommittedOrder[],
    what: string,
  ): CommittedOrder | null {
    const free = rows.filter(({ id }) => !this.#named.has(`${person.index}/${id}`))
    const row =
      free.find(({ status }) => status === 'intended') ?? free.findLast(({ odno }) => odno === null) ?? free.at(-1)
    if (row === undefined) return null
    this.#named.add(`${person.index}/${row.id}`)
    for (const [number, other] of this.#standing) {
      if (other.order.account !== order.account || other.order.code !== order.code || other.order.side !== order.side)
        continue
      if (this.#strays.isStray(person, other.order.odno)) continue
      if (order.side === 'buy' || this.#rows.lotsShared(person.userId, row.id, this.#rowOf(person, other)))
        throw new Violation('no double order', `${what} stands beside ${number}`)
    }
    this.#standing.set(`${order.account}/${order.odno}`, { order, row: row.id, remaining: order.count })
    return row
  }

  /** Of several rows that look alike the server may take another one than was thought here: the one with the number counts. */
  #rowOf({ userId }: Pick<Person, 'userId'>, { order, row }: Standing): number {
    const named = this.#rows
      .ordersOf(userId, order.code)
      .find(({ day, odno }) => day === order.day && odno === order.odno)
    return named?.id ?? row
  }

  reduce(fact: Extract<Fact, { kind: 'filled' | 'reduced' }>): void {
    const key = `${fact.account}/${fact.odno}`
    const standing = this.#standing.get(key)
    if (standing === undefined) return
    standing.remaining -= fact.count
    if (standing.remaining <= 0) this.#standing.delete(key)
  }
}
