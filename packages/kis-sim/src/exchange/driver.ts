import { DAY_MS, kstDay, kstInstant, kstMidnight } from '@digger/core'
import { streamKey, unit } from '../runtime/random.ts'
import type { Exchange } from './exchange.ts'
import type { VenueName } from './venue.ts'
import type { SimIssue } from './issue.ts'
import { baseAfter } from './corporate-action.ts'
import { baseOf, dayPath, type Candle } from './replay.ts'
import type { ReplayCalendar } from './replay-calendar.ts'
import { DEFAULT_WALK, walkStep, type WalkOptions } from './walk.ts'

export interface Replay {
  readonly candles: readonly Candle[]
  readonly calendar: ReplayCalendar
  /** Maximum number of prices of one replayed day. */
  readonly steps: number
}

/** The prices of a recorded day in the order they are replayed. */
interface DayPath {
  readonly path: readonly number[]
  /** Shares of each trade. */
  readonly count: number
}

/** What the market itself brings to an auction of the walk, won. */
const AUCTION_WON = 500_000_000

/** Why an issue is halted: its record has no trade that day. */
const RECORDED = 'recorded'

/** Moves the prices: by a recorded day where there is one, by a random walk otherwise. */
export class Driver {
  readonly #exchange: Exchange
  readonly #walk: WalkOptions | null
  readonly #replay: Replay | null
  /** Candles by code and recorded day. */
  readonly #record = new Map<string, Map<string, Candle>>()
  readonly #replays = new Map<SimIssue, DayPath>()

  constructor(exchange: Exchange, walk: Partial<WalkOptions> | null, replay: Replay | null) {
    this.#exchange = exchange
    this.#walk = walk === null ? null : { ...DEFAULT_WALK, ...walk }
    this.#replay = replay
    for (const candle of replay?.candles ?? []) {
      const days = this.#record.get(candle.code) ?? new Map<string, Candle>()
      this.#record.set(candle.code, days.set(candle.day, candle))
    }
  }

  /** After the day's base prices are set. */
  start(): void {
    for (const issue of this.#exchange.issues.values()) {
      if (this.#record.has(issue.listing.code)) this.#replayDay(issue)
      else this.#walkOn(issue)
    }
  }

  readonly auctionPrice = (issue: SimIssue, which: 'open' | 'close'): { price: number; count: number } => {
    const day = this.#replays.get(issue)
    const price = which === 'open' ? day?.path[0] : day?.path.at(-1)
    if (day && price !== undefined) return { price, count: day.count }
    // KRX opens where NXT has traded in the morning.
    const quotes = which === 'open' && issue.tapes.NXT.volume > 0 ? issue.quotes.NXT : issue.quotes.KRX
    return { price: quotes.ask, count: this.#walk ? Math.floor(AUCTION_WON / quotes.ask) : 0 }
  }

  readonly baseOf = (issue: SimIssue, day: string): number => {
    const { kind } = issue.listing
    const action = issue.actions.find(({ exDay }) => exDay === day)
    if (action) return baseAfter(action, issue.tapes.KRX.last, kind, this.#exchange.options.assumed)
    const candle = this.#candle(issue, day)
    if (!candle) return issue.tapes.KRX.last
    const days = this.#replay?.calendar.days ?? []
    const before = this.#record.get(issue.listing.code)?.get(days[days.indexOf(candle.day) - 1] ?? '')
    // Halted all day, by more than the record knows: the close is the one from before.
    const close = before && issue.tapes.KRX.volume === 0 ? issue.tapes.KRX.last : before?.close
    return baseOf(candle, close ?? null, kind)
  }

  #candle(issue: SimIssue, day: string): Candle | undefined {
    return this.#record.get(issue.listing.code)?.get(this.#replay?.calendar.recorded(day) ?? '')
  }

  /** Replays the rest of the running day, then waits for the next; when the record is over, the price walks on. */
  #replayDay(issue: SimIssue): void {
    const { clock } = this.#exchange.options
    const now = clock.now()
    const today = kstDay(now)
    if (this.#replay?.calendar.recorded(today) === 'over') {
      issue.status.halts.delete(RECORDED)
      this.#replays.delete(issue)
      this.#walkOn(issue)
      return
    }
    const candle = this.#candle(issue, today)
    const path = candle
      ? dayPath(candle, issue.listing.kind, this.#replay?.steps ?? 0, this.#exchange.options.seed)
      : []
    // A day recorded without a trade is a day on which the stock was halted.
    if (path.length === 0) issue.status.halts.add(RECORDED)
    else issue.status.halts.delete(RECORDED)
    if (candle && path.length > 0)
      this.#schedule(issue, { path, count: Math.max(1, Math.floor(candle.volume / path.length)) })
    else this.#replays.delete(issue)
    clock.after(kstMidnight(today) + DAY_MS - now, () => this.#replayDay(issue))
  }

  #schedule(issue: SimIssue, dayPath: DayPath): void {
    const { clock, hours } = this.#exchange.options
    const now = clock.now()
    this.#replays.set(issue, dayPath)
    const day = kstDay(now)
    const { always } = hours
    const opens = always ? kstMidnight(day) : kstInstant(day, '090000') + hours.delayMs(day, 'open')
    const ends = always ? kstMidnight(day) + DAY_MS : kstInstant(day, '152000') + hours.delayMs(day, 'close')
    const auctions = !always
    const from = Math.max(opens, now)
    // The auctions print the first and the last price, unless the day was joined too late for the first.
    const first = auctions && now < opens ? 1 : 0
    const last = dayPath.path.length - (auctions ? 1 : 0)
    const gap = (ends - from) / Math.max(1, last - first + (first === 0 ? 0 : 1))
    const next = (n: number): void => {
      if (n >= last || this.#replays.get(issue) !== dayPath) return
      const at = from + (n - first + (first === 0 ? 0 : 1)) * gap
      clock.after(at - clock.now(), () => {
        this.#print(issue, dayPath, n)
        next(n + 1)
      })
    }
    if (ends > now) next(first)
  }

  #print(issue: SimIssue, { path, count }: DayPath, n: number): void {
    const price = path[n]
    if (price === undefined) return
    const aggressor = price >= (path[n - 1] ?? issue.base) ? 'buy' : 'sell'
    const print = { price, count, aggressor, at: this.#exchange.now } as const
    if (this.#exchange.trading(issue, 'KRX')) this.#exchange.market(issue, 'KRX', [print])
    else if (this.#collectsAllDay(issue)) this.#exchange.indicate(issue, 'KRX', print)
  }

  #walkOn(issue: SimIssue): void {
    const walk = this.#walk
    if (!walk) return
    const { clock, seed, hours } = this.#exchange.options
    const key = streamKey(seed, issue.listing.code, 'pace')
    const step = (): void => {
      const venue = this.#venue(issue, unit(key, issue.step * 2))
      if (venue) this.#exchange.market(issue, venue, walkStep(issue, venue, seed, walk, clock.now()))
      else if (this.#collectsAllDay(issue)) {
        for (const print of walkStep(issue, 'KRX', seed, walk, clock.now()))
          this.#exchange.indicate(issue, 'KRX', print)
      }
      // While nothing trades, nothing is to be done before the exchange changes its phase.
      const asleep = !venue && !issue.status.isHindered && issue.interruptedUntil === null
      const pause = (1_000 / walk.ticksPerSecond) * (0.5 + unit(key, issue.step * 2 + 1))
      clock.after(asleep ? hours.nextChange(clock.now()) - clock.now() : pause, step)
    }
    clock.after((1_000 / walk.ticksPerSecond) * unit(key, issue.step * 2 + 1), step)
  }

  /** The market's price moves on between the auctions of a single-price issue. */
  #collectsAllDay(issue: SimIssue): boolean {
    const phase = this.#exchange.phaseOf(issue, 'KRX')
    return (
      issue.status.overheated && !issue.status.standsStill && phase.matching === 'auction' && phase.name === 'regular'
    )
  }

  /** A quarter of the trades happen on NXT while both are open; with prices of its own it follows by itself. */
  #venue(issue: SimIssue, draw: number): VenueName | null {
    const krx = this.#exchange.trading(issue, 'KRX')
    const nxt = this.#exchange.trading(issue, 'NXT')
    if (krx && nxt) return draw < 0.25 && !issue.hasOwnPrices ? 'NXT' : 'KRX'
    return krx ? 'KRX' : nxt ? 'NXT' : null
  }
}
