import { tradingDayBefore, type Book, type Stock } from '@digger/core'
import type { KisQuote, KisRest, KisSocket } from '@digger/kis'
import type { Clock } from '@digger/database'
import type { Timetables } from '../broker/timetable.ts'
import { isOfDayBefore } from './base-move.ts'
import type { ClosingPrices } from './closing-prices.ts'
import { dayPart, type DayPart } from './day-part.ts'
import type { Prices } from './prices.ts'
import { Questions } from './questions.ts'

export interface PriceFeedParts {
  readonly rest: Pick<KisRest, 'quote' | 'dayCandles'>
  readonly socket: KisSocket
  readonly clock: Clock
  readonly prices: Prices
  readonly closings: Pick<ClosingPrices, 'of' | 'note'>
  readonly timetables: Pick<Timetables, 'current'>
  readonly problem: (error: unknown) => void
}

/** Limits that are still those of the day before are asked for again after this, ms. */
const NOT_ROLLED_MS = 30_000

/**
 * Brings prices of one account's stocks to all accounts: the socket for the forty most important, REST in turn for the
 * rest; and for all of them the day's price limits and base in the morning, the close in the afternoon.
 */
export class PriceFeed {
  readonly #parts: PriceFeedParts
  readonly #questions: Questions
  /** The part of which day each code was read in. */
  readonly #readIn = new Map<string, string>()
  readonly #volumes = new Map<string, number>()
  #turn = 0

  constructor(parts: PriceFeedParts) {
    this.#parts = parts
    this.#questions = new Questions(parts.clock, parts.problem)
  }

  get busy(): boolean {
    return this.#questions.out > 0
  }

  /** After a change of the stocks: what the socket should carry. */
  arrange(book: Book): void {
    this.#parts.socket.watch(wantedCodes(book))
  }

  /** What is known of the stock's limits, or of a halt, was wrong: it is read again. */
  readAgain(code: string): void {
    this.#readIn.delete(code)
  }

  /** About once a second. */
  tick(book: Book): void {
    const { clock, prices, timetables, socket } = this.#parts
    const now = dayPart(clock.now(), timetables.current)
    const wanted = wantedCodes(book)
    if (now.part !== 'night') prices.beginDay(now.day)
    for (const code of wanted) if (prices.takeRebased(code)) this.readAgain(code)
    this.#questions.ask(
      wanted.filter((code) => this.#isMissing(code, now)),
      (code) => this.#read(code, now),
    )
    if (socket.state === 'connected') this.#poll(wanted)
  }

  #isMissing(code: string, { day, part }: DayPart): boolean {
    const before = this.#readIn.get(code)
    return before === undefined || (part !== 'night' && part !== 'evening' && before !== `${day} ${part}`)
  }

  /** False: nothing is known of the code, or not yet. */
  async #read(code: string, now: DayPart): Promise<boolean | number> {
    const { rest, prices, closings } = this.#parts
    const quote = await rest.quote(code)
    if (quote === null) return false
    if (now.part === 'night') prices.wasRead(code, quote.price, quote.halted)
    else if (!(await this.#opened(code, quote, now))) return NOT_ROLLED_MS
    if (now.part === 'closed') closings.note(code, { day: now.day, close: quote.price, base: quote.base })
    this.#readIn.set(code, `${now.day} ${now.part}`)
    return true
  }

  /** False: the limits are still those of the day before. */
  async #opened(code: string, quote: KisQuote, { day, part }: DayPart): Promise<boolean> {
    const { prices, closings, timetables } = this.#parts
    const { lower, upper, price, halted, base } = quote
    const before = tradingDayBefore(day, timetables.current)
    if (part === 'morning' && isOfDayBefore(base, closings.of(code), before)) {
      prices.wasRead(code, price, halted)
      return false
    }
    const closing = closings.of(code)
    const chart = closing?.day === before ? null : await this.#closeOf(code, before)
    prices.opened(code, { day, band: { lower, upper }, base, price, halted, chart })
    return true
  }

  /** From the chart, unadjusted; null where it has no such day. */
  async #closeOf(code: string, day: string): Promise<number | null> {
    if (this.#parts.timetables.current.hours === 'always') return null
    const [bar] = await this.#parts.rest.dayCandles(code, day, day, 'original')
    return bar?.close ?? null
  }

  /** One stock without a registration per call, in turn. Only a grown volume proves that a trade happened. */
  #poll(wanted: readonly string[]): void {
    const { rest, socket, prices } = this.#parts
    const unwatched = wanted.filter((code) => !socket.watched.has(code) && !this.#questions.isHeld(code))
    const code = unwatched[this.#turn++ % Math.max(1, unwatched.length)]
    if (code === undefined) return
    this.#questions.askOne(code, async () => {
      const quote = await rest.quote(code)
      if (quote === null) return false
      const before = this.#volumes.get(code)
      this.#volumes.set(code, quote.volume)
      const { price, halted, base } = quote
      if (before !== undefined && quote.volume > before) prices.tickReceived({ code, price, halted, base, trade: true })
      return true
    })
  }
}

/** Stocks with something at stake first: forty get the socket. */
export function wantedCodes(book: Book): string[] {
  return [...book.stocks.values()]
    .filter((stock) => stock.priceSubscribed || stock.lots.length > 0 || stock.nextBuyPrice !== null)
    .sort((a, b) => weight(b) - weight(a) || (a.issue.code < b.issue.code ? -1 : 1))
    .map((stock) => stock.issue.code)
}

const weight = (stock: Stock): number =>
  (stock.nextBuyPrice === null ? 0 : 4) + (stock.lots.length === 0 ? 0 : 2) + (stock.priceSubscribed ? 1 : 0)
