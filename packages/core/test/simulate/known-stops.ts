import type { Book, Fact, Stop } from '../../src/index.ts'

/** What holds one account, gathered from its facts alone. */
export class KnownStops {
  readonly #stocks = new Map<string, Stop>()
  #user: Stop = 'active'
  /** The account asks its person whether another server trades it. */
  #asks = false

  inherit({ stocks, stop, otherServer }: Book): void {
    for (const [code, stock] of stocks) this.#stocks.set(code, stock.stop)
    this.#user = stop
    this.#asks = otherServer.suspected !== null
  }

  learn(fact: Fact): void {
    if (fact.kind === 'stockAdded') this.#stocks.set(fact.code, 'active')
    if (fact.kind === 'stockStopped') this.#stocks.set(fact.code, fact.stop)
    if (fact.kind === 'userStopped') this.#user = fact.stop
    if (fact.kind === 'limitReached' && this.#user === 'active') this.#user = 'reduce'
    if (fact.kind === 'otherServerSuspected') this.#asks = true
    if (fact.kind === 'otherServerDismissed') this.#asks = false
  }

  /** All that hold an order of the stock. */
  of(code: string): readonly Stop[] {
    return [this.#user, this.#stocks.get(code) ?? 'active', this.#asks ? 'halt' : 'active']
  }
}
