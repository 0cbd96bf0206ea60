import type { AccountEvent, Book, Fact, Order } from '../../src/index.ts'
import { Violation } from './violation.ts'

/**
 * Lots that may be sold automatically: bought by an order of this account, or come with a corporate action that a person has
 * settled, or of those a correction took over and its person has released since. Told from facts and commands alone.
 */
export class Agreed {
  readonly #lots = new Set<number>()
  /** Lots that buys reserve. */
  readonly #reserved = new Set<number>()
  /** New shares that the broker has credited and no lot holds yet, per code. */
  readonly #credited = new Map<string, number>()

  inherit({ stocks, orders }: Book): void {
    for (const { lots } of stocks.values()) for (const { id, takenOver } of lots) if (!takenOver) this.#lots.add(id)
    for (const order of orders.values()) this.intended(order)
  }

  intended({ side, lots }: Order): void {
    if (side === 'buy') for (const { lotId } of lots) this.#reserved.add(lotId)
  }

  credited(code: string, count: number): void {
    if (count > 0) this.#credited.set(code, (this.#credited.get(code) ?? 0) + count)
  }

  has({ lots }: Order): boolean {
    return lots.every(({ lotId }) => this.#lots.has(lotId))
  }

  learn(facts: readonly Fact[], event: AccountEvent, before: Book): void {
    let filled: string | undefined
    for (const fact of facts) {
      if (fact.kind === 'orderIntended') this.intended(fact.order)
      if (fact.kind === 'orderFilled') {
        const order = before.orders.get(fact.orderId)
        filled = order?.side === 'buy' ? order.code : undefined
      } else if (fact.kind === 'lotBought') {
        const { code, lot } = fact
        if (lot.buyOrderId !== null || this.#reserved.has(lot.id) || filled === code) this.#lots.add(lot.id)
        else if (!lot.takenOver) this.#receive(code, lot.id, lot.count)
        filled = undefined
      } else if (fact.kind === 'lotSplit' && this.#lots.has(fact.lotId)) this.#lots.add(fact.newLotId)
      // What is left of a lot that was sold in part keeps its number; the part that is closed has one that is never sold.
    }
    const isReleased = facts.some(({ kind }) => kind === 'lotsReleased')
    if (event.kind === 'command' && event.command.kind === 'releaseLots' && isReleased)
      for (const id of event.command.lotIds) this.#lots.add(id)
  }

  #receive(code: string, lotId: number, count: number): void {
    const left = (this.#credited.get(code) ?? 0) - count
    if (left < 0) throw new Violation('I12 agreed', `lot ${lotId} has ${count} shares of ${code} from nowhere`)
    this.#credited.set(code, left)
    this.#lots.add(lotId)
  }
}
