import { isLive, type AccountEvent, type Book, type CommandResult, type Order } from '../../src/index.ts'
import { Violation } from './violation.ts'

/** An outage ends long before, and so does the wait after a failed cancel, ms. */
const DONE_MS = 30 * 60_000

/**
 * Orders whose cancel a person was told is done: none rests on at the broker once its number is known and somebody runs the account,
 * whatever was killed or forgotten in between.
 */
export class PromisedCancels {
  readonly #asked = new Map<number, readonly number[]>()
  /** Since when each could have been cancelled. */
  readonly #since = new Map<number, number>()

  /** `before`: the book in which the event was decided. */
  learn(event: AccountEvent, before: Book, day: string): void {
    if (event.kind !== 'command') return
    const { command, ticket } = event
    const isMeant = ({ code, odno, day: ofOrder }: Order): boolean => {
      if (command.kind === 'cancelOrders') return command.code === null || command.code === code
      return command.kind === 'cancelOrder' && 'odno' in command && command.odno === odno && ofOrder === day
    }
    const meant = [...before.orders.values()].filter((order) => isLive(order.status) && isMeant(order))
    const ids = meant.map(({ id }) => id)
    if (ids.length > 0) this.#asked.set(ticket, ids)
  }

  answered(ticket: number, { ok }: CommandResult, now: number): void {
    if (ok) for (const id of this.#asked.get(ticket) ?? []) this.#since.set(id, now)
    this.#asked.delete(ticket)
  }

  restarted(now: number): void {
    for (const id of this.#since.keys()) this.#since.set(id, now)
  }

  /** `rests`: whether an order of ours is open at the broker. */
  check({ orders }: Book, now: number, rests: (id: number) => boolean): void {
    for (const [id, since] of this.#since) {
      const order = orders.get(id)
      if (order === undefined || !isLive(order.status)) this.#since.delete(id)
      else if (order.odno === null) this.#since.set(id, now)
      else if (now - since > DONE_MS && rests(id))
        throw new Violation('I16 cancel', `order ${id} rests, and its person was told that it is cancelled`)
    }
  }
}
