import { tradingDayBefore, type Book, type PricedBy, type Stock } from '@digger/core'
import type { KisQuote, KisRest, KisSocket } from '@digger/kis'
import type { Clock } from '@digger/database'
import type { Timetables } from '../broker/timetable.ts'
import { isOfDayBefore } from './base-move.ts'
import type { ClosingPrices } from './closing-prices.ts'
import type { AllPrices } from './all-prices.ts'
import { dayPart, type DayPart } from './day-part.ts'
import type { Prices } from './prices.ts'
import { Questions } from './questions.ts'

export interface PriceFeedParts {
  readonly rest: Pick<KisRest, 'quote' | 'dayCandles'>
  readonly socket: KisSocket
  readonly clock: Clock
  readonly prices: AllPrices
  /** Whose trades count for the account now. */
  readonly marketOf: (code: string) => PricedBy
  readonly closings: Pick<ClosingPrices, 'of' | 'note'>
  readonly timetables: Pick<Timetables, 'current'>
  readonly problem: (error: unknown) => void
}

/** Limits that are still those of the day before are asked for again after this, ms. */
const NOT_ROLLED_MS = 30_000
/**
 * The channels beside KRX's are silent for issues that NXT does not trade, and when it stops doing so nobody tells: there a
 * stock without a trade for so long is read as well, so often, ms.
 */
const SILENT_MS = 30_000

/**
 * Brings prices of one account's stocks to all accounts: the socket for the forty most important, REST in turn for the
 * rest; and for all of them the day's price limits and base in the morning, the close in the afternoon.
 */
export class PriceFeed {
  readonly #parts: PriceFeedParts
  readonly #questions: Questions
  /** The part of which day each code was read in, per market. */
  readonly #readIn = new Map<string, DayPart>()
  readonly #volumes = new Map<string, number>()
  /** When each code was last polled. */
  readonly #polled = new Map<string, number>()
  #arranged = ''
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
    this.#watch(wantedCodes(book))
  }

  #watch(wanted: readonly string[]): void {
    const { socket, marketOf } = this.#parts
    this.#arranged = this.#keysOf(wanted)
    socket.watch(wanted, marketOf)
  }

  /** Where a stock's trades count: another place with each hour that its owner chose. */
  #key(code: string): string {
    return `${this.#parts.marketOf(code)} ${code}`
  }

  #keysOf(codes: readonly string[]): string {
    return codes.map((code) => this.#key(code)).join()
  }

  #prices(code: string): Prices {
    return this.#parts.prices.of(this.#parts.marketOf(code))
  }

  /** What is known of the stock's limits, or of a halt, was wrong: it is read again. */
  readAgain(code: string): void {
    this.#readIn.delete(this.#key(code))
  }

  /** About once a second. */
  tick(book: Book): void {
    const { clock, timetables, socket } = this.#parts
    const now = dayPart(clock.now(), timetables.current)
    const wanted = wantedCodes(book)
    if (this.#keysOf(wanted) !== this.#arranged) this.#watch(wanted)
    for (const code of wanted) {
      const prices = this.#prices(code)
      if (now.part !== 'night') prices.beginDay(now.day)
      if (prices.takeRebased(code)) this.readAgain(code)
    }
    this.#questions.ask(
      wanted.filter((code) => this.#isMissing(code, now)),
      (code) => this.#read(code, now),
    )
    if (socket.state === 'connected') this.#poll(wanted)
  }

  #isMissing(code: string, { day, part }: DayPart): boolean {
    const before = this.#readIn.get(this.#key(code))
    if (before === undefined) return true
    return part !== 'night' && (before.day !== day || (part !== 'evening' && before.part !== part))
  }

  /** False: nothing is known of the code, or not yet. */
  async #read(code: string, now: DayPart): Promise<boolean | number> {
    const { rest, marketOf } = this.#parts
    const [market, key] = [marketOf(code), this.#key(code)]
    const quote = await rest.quote(code, market)
    if (quote === null) return false
    if (now.part === 'night') this.#prices(code).wasRead(code, quote.price, quote.halted)
    else if (!(await this.#opened(code, quote, now))) return NOT_ROLLED_MS
    if (now.part === 'closed') this.#closed(code, market === 'KRX' ? quote : await rest.quote(code), now.day)
    this.#readIn.set(key, now)
    return true
  }

  /** The next day's base is KRX's close. */
  #closed(code: string, quote: KisQuote | null, day: string): void {
    if (quote !== null) this.#parts.closings.note(code, { day, close: quote.price, base: quote.base })
  }

  /** False: the limits are still those of the day before. */
  async #opened(code: string, quote: KisQuote, { day, part }: DayPart): Promise<boolean> {
    const { closings, timetables } = this.#parts
    const prices = this.#prices(code)
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

  /** Whether the socket may be silent about a stock that is traded. */
  #isSilent(code: string, now: number): boolean {
    const seen = Math.max(this.#prices(code).last(code)?.at ?? 0, this.#polled.get(code) ?? 0)
    return this.#parts.marketOf(code) !== 'KRX' && now - seen > SILENT_MS
  }

  /** One stock without a registration per call, in turn. Only a grown volume proves that a trade happened. */
  #poll(wanted: readonly string[]): void {
    const { rest, socket, clock, marketOf } = this.#parts
    const now = clock.now()
    const unwatched = wanted.filter(
      (code) => (!socket.watched.has(code) || this.#isSilent(code, now)) && !this.#questions.isHeld(code),
    )
    const code = unwatched[this.#turn++ % Math.max(1, unwatched.length)]
    if (code === undefined) return
    this.#polled.set(code, now)
    const [market, key, prices] = [marketOf(code), this.#key(code), this.#prices(code)]
    this.#questions.askOne(code, async () => {
      const quote = await rest.quote(code, market)
      if (quote === null) return false
      const before = this.#volumes.get(key)
      this.#volumes.set(key, quote.volume)
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
