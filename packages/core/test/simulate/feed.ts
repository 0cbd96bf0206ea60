import type { Book, Fact, Quote } from '../../src/index.ts'
import type { Agenda } from './agenda.ts'
import type { Broker } from './broker.ts'
import type { Listed } from './broker-types.ts'
import type { Random } from './random.ts'

/** A price that was read is no trade: far too old to buy by, ms. */
const STALE_MS = 3_600_000

/** Who hears the prices. */
interface Listener {
  readonly now: number
  readonly up: boolean
  later(ms: number, run: () => void): void
}

/** What a server knows of prices, limits and halts, and how it comes to know it. */
export class Feed {
  readonly quotes = new Map<string, Quote>()
  readonly #gap = new Set<string>()
  readonly #agenda: Agenda
  readonly #random: Random
  readonly #broker: Broker
  readonly #listener: Listener

  constructor({ agenda, random }: { agenda: Agenda; random: Random }, broker: Broker, listener: Listener) {
    this.#agenda = agenda
    this.#random = random
    this.#broker = broker
    this.#listener = listener
  }

  /** Limits and base of the day, as a server reads them before the first session and when it comes up. */
  readLimits(): void {
    for (const stock of this.#broker.stocks.values()) {
      this.#read(stock)
      // What is of the day before, or not there yet, is asked for again.
      if (stock.late !== null)
        this.#agenda.at(stock.late.until, () => {
          if (this.#listener.up) this.#read(stock)
        })
    }
  }

  /** The first trade of each stock after this only re-bases. */
  linked(): void {
    for (const code of this.#broker.stocks.keys()) this.#gap.add(code)
  }

  traded(stock: Listed): void {
    const { price, moved, issue } = stock
    // A trade carries the base, whatever the broker still shows of the limits.
    const shown = { ...this.#shown(stock), moved }
    this.quotes.set(issue.code, { price, at: this.#listener.now, live: !this.#gap.has(issue.code), ...shown })
    this.#gap.delete(issue.code)
  }

  /** A refusal for its limits or a halt says that they are others than we know: the stock is read again. */
  follow(facts: readonly Fact[], { orders }: Book): void {
    for (const fact of facts) {
      if (fact.kind !== 'orderEnded' || (fact.cause !== 'priceLimit' && fact.cause !== 'halted')) continue
      const stock = this.#broker.stocks.get(orders.get(fact.orderId)?.code ?? '')
      if (stock === undefined) continue
      this.#listener.later(this.#random.int(100, 3_000), () => {
        stock.late = null
        stock.haltPublished = stock.halted
        const before = this.quotes.get(stock.issue.code)
        if (before !== undefined) this.quotes.set(stock.issue.code, { ...before, ...this.#shown(stock) })
      })
    }
  }

  #read(stock: Listed): void {
    const at = this.#listener.now - STALE_MS
    this.quotes.set(stock.issue.code, { price: stock.price, at, live: false, ...this.#shown(stock) })
  }

  /** What the broker tells of a stock's limits and of a halt. */
  #shown({ late, band, moved, haltPublished }: Listed): Pick<Quote, 'halted' | 'band' | 'moved'> {
    const isLate = late !== null && this.#agenda.now < late.until
    return isLate
      ? { halted: haltPublished, band: late.band, moved: undefined }
      : { halted: haltPublished, band, moved }
  }
}
