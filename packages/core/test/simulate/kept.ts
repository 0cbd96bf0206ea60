import { isLive, type AccountEvent, type Book, type Fact } from '../../src/index.ts'
import type { Broker } from './broker.ts'

/** Shares that a person has declared to be their own, as many as they said, and fewer after a merger. */
export class Kept {
  readonly #declared = new Map<string, number>()
  readonly #broker: Broker

  constructor(broker: Broker) {
    this.#broker = broker
  }

  inherit({ stocks }: Book): void {
    for (const [code, { kept }] of stocks) this.#declared.set(code, kept)
  }

  learn(facts: readonly Fact[], event: AccountEvent): void {
    for (const fact of facts) {
      if (fact.kind === 'stockRemoved' || fact.kind === 'stockAdded') this.#declared.delete(fact.code)
      if (fact.kind === 'sharesKept' && event.kind === 'command' && event.command.kind === 'keepShares')
        this.#declared.set(fact.code, event.command.count)
    }
  }

  /** `from` old shares became `to` new ones. */
  became(code: string, from: number, to: number): void {
    const declared = this.#declared.get(code)
    if (declared !== undefined && to < from) this.#declared.set(code, Math.floor((declared * to) / from))
  }

  /** How many of them the sells that are out would take, together with what the book is about to offer. */
  endangered(code: string, after: Book): number {
    const declared = this.#declared.get(code) ?? 0
    if (declared === 0) return 0
    let left = this.#broker.held.get(code) ?? 0
    for (const order of after.orders.values()) {
      if (order.code !== code || order.side !== 'sell' || !isLive(order.status)) continue
      // What has filled is gone from the shares already, whether the book knows it or not.
      const truth = this.#broker.orders.find((one) => one.label === order.id)
      left -= truth === undefined ? order.count : truth.open ? truth.count - truth.filledCount : 0
    }
    return Math.max(0, declared - left)
  }
}
