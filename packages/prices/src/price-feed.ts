import {
  addDays,
  dayPart,
  isOfDayBefore,
  isSameBase,
  nearestBuys,
  pastMoveOf,
  phaseAt,
  tradingDayBefore,
  wantedCodes,
} from '@digger/core'
import type { BaseMove, Book, DayPart, PricedBy } from '@digger/core'
import type { BackgroundCalls, KisCandle, KisQuote, KisRest, KisSocket } from '@digger/kis'
import type { Clock } from '@digger/database'
import type { Timetables } from './timetable.ts'
import type { ClosingPrice, ClosingPrices } from './closing-prices.ts'
import type { AllPrices } from './all-prices.ts'
import type { Prices } from './prices.ts'
import { Questions } from './questions.ts'

export interface PriceFeedParts {
  readonly rest: Pick<KisRest, 'quote'> & {
    inBackground(how: BackgroundCalls): Pick<KisRest, 'dayCandles'>
  }
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
/** Without the socket; of three questions at once one is left for the others. Orders and lists go first at the key's queue. */
const NEAR_EACH_SECOND = 2
/** A stock stands still before its shares are split or joined: for weeks at most, days. */
const STILL_DAYS = 60
/** What a chart may take: on bad days answers took eight seconds, ms. */
const CHART_MS = 10_000

/**
 * Brings prices of one account's stocks to all accounts: the socket for the forty most important, REST in turn for the
 * rest; and for all of them the day's price limits and base in the morning, the close in the afternoon.
 */
export class PriceFeed {
  readonly #parts: PriceFeedParts
  readonly #questions: Questions
  readonly #giveUp = new AbortController()
  readonly #charts: Pick<KisRest, 'dayCandles'>
  /** Ends with the last chart asked for: one at a time waits at the key's queue. */
  #chartTurn: Promise<unknown> = Promise.resolve()
  /** What was to be read again while it was being read. */
  readonly #outdated = new Set<string>()
  /** The part of which day each code's limits were read in. */
  readonly #readIn = new Map<string, DayPart>()
  /** On which day, beside KRX's, each code's price was read last, and where. */
  readonly #pricedIn = new Map<string, string>()
  readonly #volumes = new Map<string, number>()
  /** When each code was last polled. */
  readonly #polled = new Map<string, number>()
  /** Where each code's trades counted when the socket was told. */
  readonly #arranged = new Map<string, string>()
  #turn = 0

  constructor(parts: PriceFeedParts) {
    this.#parts = parts
    const { signal } = this.#giveUp
    // What was given up is nobody's problem.
    this.#questions = new Questions(parts.clock, (error) => signal.aborted || parts.problem(error))
    this.#charts = parts.rest.inBackground({ answerMs: CHART_MS, signal, isAwaited: true })
  }

  get busy(): boolean {
    return this.#questions.out > 0
  }

  /** The broker is taken away: no chart on the wire is waited for. */
  end(): void {
    this.#giveUp.abort()
  }

  /** After a change of the stocks: what the socket should carry. */
  arrange(book: Book): void {
    this.#watch(wantedCodes(book))
  }

  #watch(wanted: readonly string[]): void {
    const { socket, marketOf } = this.#parts
    for (const code of wanted) this.#arranged.set(code, this.#key(code))
    socket.watch(wanted, marketOf)
  }

  /** Where a stock's trades count: another place with each hour that its owner chose. */
  #key(code: string): string {
    return `${this.#parts.marketOf(code)} ${code}`
  }

  #prices(code: string): Prices {
    return this.#parts.prices.of(this.#parts.marketOf(code))
  }

  /** What is known of the stock's limits, or of a halt, was wrong: it is read again. */
  readAgain(code: string): void {
    this.#readIn.delete(code)
    this.#pricedIn.delete(code)
    this.#outdated.add(code)
  }

  /** About once a second. */
  tick(book: Book): void {
    const { clock, prices, timetables, socket } = this.#parts
    const now = dayPart(clock.now(), timetables.current)
    const wanted = wantedCodes(book)
    if (now.part !== 'night') prices.beginDay(now.day, now.part !== 'morning')
    if (wanted.some((code) => this.#arranged.get(code) !== this.#key(code))) this.#watch(wanted)
    for (const code of wanted) if (prices.takeRebased(code)) this.readAgain(code)
    this.#questions.ask(
      wanted.filter((code) => this.#isMissing(code, now)),
      (code) => this.#read(code, now),
    )
    if (socket.state === 'connected') this.#poll(wanted)
    else if (socket.isWanted) this.#pollInstead(book, wanted)
  }

  #isMissing(code: string, now: DayPart): boolean {
    return this.#lacksLimits(code, now) || this.#lacksPrice(code, now)
  }

  #lacksLimits(code: string, { day, part }: DayPart): boolean {
    const before = this.#readIn.get(code)
    if (before === undefined) return true
    return part !== 'night' && (before.day !== day || (part !== 'evening' && before.part !== part))
  }

  /** With the limits comes KRX's price. */
  #lacksPrice(code: string, { day }: DayPart): boolean {
    return this.#parts.marketOf(code) !== 'KRX' && this.#pricedIn.get(code) !== `${day} ${this.#key(code)}`
  }

  /** False: nothing is known of the code, or not yet. */
  async #read(code: string, now: DayPart): Promise<boolean | number> {
    this.#outdated.delete(code)
    if (this.#lacksPrice(code, now)) await this.#readPrice(code, now)
    return this.#lacksLimits(code, now) ? this.#readLimits(code, now) : true
  }

  async #readPrice(code: string, { day }: DayPart): Promise<void> {
    const [market, key] = [this.#parts.marketOf(code), this.#key(code)]
    const quote = await this.#parts.rest.quote(code, market)
    if (quote !== null) this.#parts.prices.of(market).wasRead(code, quote.price, quote.halted)
    if (!this.#outdated.has(code)) this.#pricedIn.set(code, `${day} ${key}`)
  }

  async #readLimits(code: string, now: DayPart): Promise<boolean | number> {
    const { rest, prices, closings } = this.#parts
    const quote = await rest.quote(code)
    if (quote === null) return false
    const { price, base, halted, statuses } = quote
    prices.of('KRX').wasRead(code, price, halted)
    prices.statusesRead(code, statuses)
    const isTaken = now.part === 'night' || (await this.#takeLimits(code, quote, now))
    // A close is one, whatever trades say of the base.
    if (now.part === 'closed' && base > 0) closings.note(code, { day: now.day, close: price, base })
    if (!isTaken) return NOT_ROLLED_MS
    if (!this.#outdated.has(code)) this.#readIn.set(code, now)
    return true
  }

  /** False: they are no limits, or still those of the day before, and are asked for again. */
  async #takeLimits(code: string, quote: KisQuote, { day, part }: DayPart): Promise<boolean> {
    const { prices, closings, timetables } = this.#parts
    const { lower, upper, base, price } = quote
    if (Math.min(lower, upper, base) <= 0) return false
    const before = tradingDayBefore(day, timetables.current)
    const closing = closings.of(code)
    if (part === 'morning' && isOfDayBefore(base, closing, before)) return false
    const bar = closing?.day === before ? null : await this.#barOf(code, before)
    // Another share, or the base of the day before: by the chart alone that shows a minute before the opening.
    if (part === 'morning' && bar !== null && !isSameBase(base, bar.close)) return false
    const past = closing && bar && closing.day < bar.day ? await this.#pastMove(code, closing, bar) : null
    const chart = bar && { close: bar.close, ...(bar.day < before ? { since: bar.day } : {}) }
    return prices.limitsRead(code, { day, band: { lower, upper }, base, chart, past, price })
  }

  /** Of a day, or the last one before it: a stock may have stood still. Null: the chart has none not long before, or there are no days. */
  async #barOf(code: string, day: string, prices: 'original' | 'adjusted' = 'original'): Promise<KisCandle | null> {
    if (this.#parts.timetables.current.hours === 'always') return null
    // A chart that hangs keeps no price from anybody.
    this.#questions.setAside(code)
    const [bar] = await this.#chart(code, day, day, prices)
    return bar ?? (await this.#chart(code, addDays(day, -STILL_DAYS), day, prices)).at(-1) ?? null
  }

  #chart(...asked: Parameters<KisRest['dayCandles']>): Promise<readonly KisCandle[]> {
    const answer = this.#chartTurn.then(() => this.#charts.dayCandles(...asked))
    this.#chartTurn = answer.catch(() => undefined)
    return answer
  }

  /** What became of the share from the last close that was kept until that of a bar. */
  async #pastMove(code: string, last: ClosingPrice, { day, close }: KisCandle): Promise<BaseMove | null> {
    const [then, now] = [await this.#barOf(code, last.day, 'adjusted'), await this.#barOf(code, day, 'adjusted')]
    if (then === null || now === null) return null
    // On the day of the kept close it stood still: its last bar before tells as much.
    const kept = then.day === last.day ? last : await this.#barOf(code, then.day)
    return kept && pastMoveOf(day, kept, { last: then.close, now: now.close, close })
  }

  /** Whether the socket may be silent about a stock that is traded. */
  #isSilent(code: string, now: number): boolean {
    const market = this.#parts.marketOf(code)
    if (market === 'KRX' || !this.#isTraded(market, now)) return false
    const seen = Math.max(this.#prices(code).last(code)?.at ?? 0, this.#polled.get(code) ?? 0)
    return now - seen > SILENT_MS
  }

  #isTraded(market: PricedBy, now: number): boolean {
    const venues = market === 'UN' ? (['KRX', 'NXT'] as const) : [market]
    return venues.some((venue) => phaseAt(venue, now, this.#parts.timetables.current).matching === 'continuous')
  }

  /** One stock without a registration per call, in turn. Only a grown volume proves that a trade happened. */
  #poll(wanted: readonly string[]): void {
    const { socket, clock } = this.#parts
    const now = clock.now()
    const unwatched = wanted.filter(
      (code) => (!socket.watched.has(code) || this.#isSilent(code, now)) && !this.#questions.isHeld(code),
    )
    const code = unwatched[this.#turn++ % Math.max(1, unwatched.length)]
    if (code !== undefined) this.#readTrade(code)
  }

  /** While the socket does not come nobody tells of trades: the stocks nearest to their next buy are read each second, the others in turn. */
  #pollInstead(book: Book, wanted: readonly string[]): void {
    const near = nearestBuys(book, (code) => this.#prices(code).last(code)?.price ?? null).slice(0, NEAR_EACH_SECOND)
    for (const code of near) if (!this.#questions.isHeld(code)) this.#readTrade(code)
    this.#poll(wanted.filter((code) => !near.includes(code)))
  }

  #readTrade(code: string): void {
    const { rest, clock, marketOf } = this.#parts
    this.#polled.set(code, clock.now())
    const [market, key, prices] = [marketOf(code), this.#key(code), this.#prices(code)]
    this.#questions.askOne(code, async () => {
      const quote = await rest.quote(code, market)
      if (quote === null) return false
      if (market === 'KRX') this.#parts.prices.statusesRead(code, quote.statuses)
      const before = this.#volumes.get(key)
      this.#volumes.set(key, quote.volume)
      const { price, halted, base } = quote
      if (before !== undefined && quote.volume > before) prices.tickReceived({ code, price, halted, base, trade: true })
      return true
    })
  }
}
