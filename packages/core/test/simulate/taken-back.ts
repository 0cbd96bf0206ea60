import { isLive, type AccountEvent, type Book, type Fact, type Order } from '../../src/index.ts'

/**
 * Stocks whose automatic buy a person took back, gathered from the commands that were decided: none is bought again
 * before 주문 적용, new settings, the next day, or a restart, which forgets them.
 */
export class TakenBack {
  readonly #codes = new Set<string>()

  has(code: string): boolean {
    return this.#codes.has(code)
  }

  inherit(codes: ReadonlySet<string>): void {
    for (const code of codes) this.#codes.add(code)
  }

  restarted(): void {
    this.#codes.clear()
  }

  /** `before`: the book in which the event was decided. */
  learn(facts: readonly Fact[], event: AccountEvent, before: Book): void {
    for (const fact of facts) {
      if (fact.kind === 'dayOpened') this.#codes.clear()
      if (fact.kind === 'settingsSaved') this.#codes.delete(fact.code)
    }
    if (event.kind !== 'command') return
    const { command } = event
    if (command.kind === 'applyOrder') this.#codes.delete(command.code)
    const orders = [...before.orders.values()].filter((order) => isLive(order.status) && isAutomaticBuy(order))
    if (command.kind === 'cancelOrders')
      for (const { code } of orders) if (command.code === null || command.code === code) this.#codes.add(code)
    if (command.kind === 'cancelOrder' && 'odno' in command)
      for (const { code, odno, status } of orders)
        if (odno === command.odno && status !== 'cancelling') this.#codes.add(code)
  }
}

const isAutomaticBuy = ({ side, origin }: Order): boolean => side === 'buy' && origin === 'auto'
