import { isLive, type AccountEvent, type Book, type Fact, type Order } from '../../src/index.ts'

/**
 * Automatic orders that a person took back, in Digger or in the broker's own app: no buy of the stock, and no sale of the lots,
 * before 주문 적용, new settings or the next day. A restart forgets what was taken back in Digger; what ended at the broker by
 * another hand is in the book.
 */
export class TakenBack {
  readonly #codes = new Set<string>()
  readonly #byPhone = new Set<string>()
  readonly #lots = new Set<number>()

  has(code: string): boolean {
    return this.#codes.has(code) || this.#byPhone.has(code)
  }

  hasLot({ lots }: Order): boolean {
    return lots.some(({ lotId }) => this.#lots.has(lotId))
  }

  /** An order that somebody else's hand ended, as the book learned it. */
  endedByPhone({ code, side, origin, lots }: Order): void {
    if (origin === 'person') return
    if (side === 'buy') this.#byPhone.add(code)
    else for (const { lotId } of lots) this.#lots.add(lotId)
  }

  inherit(codes: ReadonlySet<string>): void {
    for (const code of codes) this.#codes.add(code)
  }

  restarted(): void {
    this.#codes.clear()
  }

  #release(code: string, { stocks }: Book): void {
    this.#codes.delete(code)
    this.#byPhone.delete(code)
    for (const { id } of stocks.get(code)?.lots ?? []) this.#lots.delete(id)
  }

  /** `before`: the book in which the event was decided. */
  learn(facts: readonly Fact[], event: AccountEvent, before: Book): void {
    for (const fact of facts) {
      if (fact.kind === 'dayOpened') {
        this.#codes.clear()
        this.#byPhone.clear()
        this.#lots.clear()
      }
      if (fact.kind === 'settingsSaved') this.#release(fact.code, before)
    }
    if (event.kind !== 'command') return
    const { command } = event
    if (command.kind === 'applyOrder') this.#release(command.code, before)
    const orders = [...before.orders.values()].filter((order) => isLive(order.status) && isAutomaticBuy(order))
    if (command.kind === 'cancelOrders')
      for (const { code } of orders) if (command.code === null || command.code === code) this.#codes.add(code)
    if (command.kind === 'cancelOrder' && 'odno' in command)
      for (const { code, odno, status } of orders)
        if (odno === command.odno && status !== 'cancelling') this.#codes.add(code)
  }
}

const isAutomaticBuy = ({ side, origin }: Order): boolean => side === 'buy' && origin === 'auto'
