import { kstDay, type Book, type Stock } from '@digger/core'
import type { KisQuote, KisRest, KisSocket } from '@digger/kis'
import type { Clock } from '@digger/database'
import type { Prices } from './prices.ts'
import { QuestionWaits } from './question-waits.ts'

/** Quotes asked by REST at once; the queue of the key keeps orders in front of them. */
const MAX_QUESTIONS = 3

export interface PriceFeedParts {
  readonly rest: KisRest
  readonly socket: KisSocket
  readonly clock: Clock
  readonly prices: Prices
  readonly problem: (error: unknown) => void
}

/**
 * Brings prices of one account's stocks to all accounts: the socket for the forty most important, REST in turn for the
 * rest, and the day's price limits for all.
 */
export class PriceFeed {
  readonly #rest: KisRest
  readonly #socket: KisSocket
  readonly #clock: Clock
  readonly #prices: Prices
  readonly #problem: (error: unknown) => void
  /** KST day for which the limits were read, per code. */
  readonly #openedOn = new Map<string, string>()
  /** Codes whose last question brought no limits, or has no answer yet; the one asked longest ago first. */
  readonly #withoutLimits = new Set<string>()
  readonly #volumes = new Map<string, number>()
  readonly #asking = new Set<string>()
  readonly #waits: QuestionWaits
  #turn = 0

  constructor({ rest, socket, clock, prices, problem }: PriceFeedParts) {
    this.#rest = rest
    this.#socket = socket
    this.#clock = clock
    this.#prices = prices
    this.#problem = problem
    this.#waits = new QuestionWaits(clock)
  }

  get busy(): boolean {
    return this.#asking.size > 0
  }

  /** After a change of the stocks: what the socket should carry. */
  arrange(book: Book): void {
    this.#socket.watch(wantedCodes(book))
  }

  /** About once a second. */
  tick(book: Book): void {
    const today = kstDay(this.#clock.now())
    const wanted = wantedCodes(book)
    const missing = wanted.filter((code) => this.#openedOn.get(code) !== today)
    for (const code of missing) {
      if (this.#asking.size >= MAX_QUESTIONS) return
      if (!this.#withoutLimits.has(code)) this.#askLimits(code, today)
    }
    this.#askAgain(missing, today)
    if (this.#socket.state === 'connected' && this.#asking.size < MAX_QUESTIONS) this.#poll(wanted)
  }

  /** A stock that the broker does not know must not stand before all others: it is asked last, and a question is left for prices. */
  #askAgain(missing: readonly string[], today: string): void {
    for (const code of this.#withoutLimits) {
      if (this.#asking.size >= MAX_QUESTIONS - 1) return
      if (!missing.includes(code)) this.#withoutLimits.delete(code)
      else if (!this.#asking.has(code) && !this.#waits.isWaiting(code)) this.#askLimits(code, today)
    }
  }

  #askLimits(code: string, today: string): void {
    this.#withoutLimits.delete(code)
    this.#withoutLimits.add(code)
    this.#ask(code, (quote) => this.#opened(code, today, quote))
  }

  #opened(code: string, today: string, quote: KisQuote): void {
    this.#openedOn.set(code, today)
    this.#withoutLimits.delete(code)
    const { lower, upper, price, halted } = quote
    this.#prices.opened(code, { lower, upper }, price, halted)
  }

  /** One stock without a registration per call, in turn. Only a grown volume proves that a trade happened. */
  #poll(wanted: readonly string[]): void {
    const unwatched = wanted.filter(
      (code) => !this.#socket.watched.has(code) && !this.#asking.has(code) && !this.#waits.isWaiting(code),
    )
    const code = unwatched[this.#turn++ % Math.max(1, unwatched.length)]
    if (code === undefined) return
    this.#ask(code, (quote) => {
      const before = this.#volumes.get(code)
      this.#volumes.set(code, quote.volume)
      if (before !== undefined && quote.volume > before) {
        this.#prices.tickReceived({ code, price: quote.price, halted: quote.halted, trade: true })
      }
    })
  }

  #answered(code: string, quote: KisQuote | null, use: (quote: KisQuote) => void): void {
    if (quote === null) return this.#waits.failed(code)
    this.#waits.answered(code)
    return use(quote)
  }

  #ask(code: string, use: (quote: KisQuote) => void): void {
    if (this.#asking.has(code)) return
    this.#asking.add(code)
    this.#rest
      .quote(code)
      .then((quote) => this.#answered(code, quote, use))
      .catch((error: unknown) => {
        this.#waits.failed(code)
        this.#problem(error)
      })
      .finally(() => this.#asking.delete(code))
  }
}

/** Stocks with something at stake first: forty get the socket. */
function wantedCodes(book: Book): string[] {
  return [...book.stocks.values()]
    .filter((stock) => stock.priceSubscribed || stock.lots.length > 0 || stock.nextBuyPrice !== null)
    .sort((a, b) => weight(b) - weight(a) || (a.issue.code < b.issue.code ? -1 : 1))
    .map((stock) => stock.issue.code)
}

const weight = (stock: Stock): number =>
  (stock.nextBuyPrice === null ? 0 : 4) + (stock.lots.length === 0 ? 0 : 2) + (stock.priceSubscribed ? 1 : 0)
