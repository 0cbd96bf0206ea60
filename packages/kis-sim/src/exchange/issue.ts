import { dailyLimits, tickAbove, tickBelow, type PriceBand, type Side } from '@digger/core'
import { streamKey, unit } from '../runtime/random.ts'
import { IssueStatus } from './issue-status.ts'
import type { PhaseName } from './market-hours.ts'
import type { Listing } from './universe.ts'
import { RestingBook } from './resting-book.ts'
import { Tape } from './tape.ts'

export type TapeVenue = 'KRX' | 'NXT' | 'UN'

export interface DayBar {
  readonly day: string
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  readonly amount: number
}

export interface Level {
  readonly price: number
  readonly count: number
}

/** What quotes show of a day that is over. */
export interface ShownDay {
  readonly base: number
  readonly limits: PriceBand
  readonly last: Readonly<Record<TapeVenue, number>>
}

/** Levels the broker shows. */
export const LEVELS = 10

/** One listed issue: today's prices, the market's own quotes around them, and the client orders waiting in between. */
export class SimIssue {
  readonly listing: Listing
  readonly status: IssueStatus
  readonly tapes: Record<TapeVenue, Tape>
  readonly books: Record<'KRX' | 'NXT', RestingBook> = { KRX: new RestingBook(), NXT: new RestingBook() }
  /** Days before today, oldest first. */
  history: DayBar[] = []
  limits: PriceBand
  /** The day before, as long as quotes still show it; null: they show today. The exchange judges by today all the time. */
  yesterday: ShownDay | null = null
  /** Best quotes of the market itself. */
  bid: number
  ask: number
  /** A volatility interruption: until when orders only collect. Null: none. */
  interruptedUntil: number | null = null
  /** The price an auction would give now, and the market's shares in it. Null: the last price, and none. */
  expected: { readonly price: number; readonly count: number } | null = null
  /** Steps its price walk has made; the walk goes on from here. */
  step = 0
  readonly #depthKey: number
  readonly #levelWon: number
  /** Shares clients took out of the market's levels since its last print. */
  readonly #taken = new Map<number, number>()
  #prints = 0

  constructor(listing: Listing, seed: number, levelWon: number) {
    this.listing = listing
    this.status = new IssueStatus(listing)
    this.#depthKey = streamKey(seed, listing.code, 'depth')
    this.#levelWon = levelWon
    const { base } = listing
    this.tapes = { KRX: new Tape(base), NXT: new Tape(base), UN: new Tape(base) }
    this.limits = dailyLimits(base, listing.kind)
    this.ask = base
    this.bid = tickBelow(base, listing.kind)
  }

  get halted(): boolean {
    return this.status.halted
  }

  get base(): number {
    return this.tapes.KRX.base
  }

  get last(): number {
    return this.tapes.UN.last
  }

  /** Where trading is continuous by the hour, orders only collect all the same. */
  collectsOn(venue: 'KRX' | 'NXT', phase: PhaseName): boolean {
    const { reopenings, overheated } = this.status
    const bySinglePrice = overheated && venue === 'KRX' && phase === 'regular'
    return this.interruptedUntil !== null || reopenings.size > 0 || bySinglePrice
  }

  get shownBase(): number {
    return this.yesterday?.base ?? this.base
  }

  get shownLimits(): PriceBand {
    return this.yesterday?.limits ?? this.limits
  }

  shownLast(venue: TapeVenue): number {
    const { volume, last } = this.tapes[venue]
    return volume > 0 ? last : (this.yesterday?.last[venue] ?? last)
  }

  /** The market now quotes around a price: a buyer's trade happened at the ask, a seller's at the bid. */
  quoteAround(price: number, aggressor: Side): void {
    const { kind } = this.listing
    this.bid = aggressor === 'sell' ? price : tickBelow(price, kind)
    this.ask = aggressor === 'buy' ? price : tickAbove(price, kind)
    this.#taken.clear()
    this.#prints++
  }

  /** Shares the market itself offers at a price of the opposite side: about `levelWon`, refreshed now and then. */
  marketCount(price: number): number {
    const share = 0.3 + 1.4 * unit(this.#depthKey, price + (this.#prints >> 4) * 7_919)
    const count = Math.max(1, Math.floor((this.#levelWon * share) / price))
    return Math.max(0, count - (this.#taken.get(price) ?? 0))
  }

  take(price: number, count: number): void {
    this.#taken.set(price, (this.#taken.get(price) ?? 0) + count)
  }

  /** Price of the market's next level away from the spread. */
  beyond(price: number, side: Side): number {
    return side === 'buy' ? tickAbove(price, this.listing.kind) : tickBelow(price, this.listing.kind)
  }

  /** Prices at which the market itself has shares for an order of a side, best first; levels that were eaten are gone. */
  #marketPrices(facing: Side): number[] {
    const prices: number[] = []
    let price = facing === 'buy' ? this.ask : this.bid
    while (prices.length < LEVELS && price >= this.limits.lower && price <= this.limits.upper) {
      if (this.marketCount(price) > 0) prices.push(price)
      price = this.beyond(price, facing)
    }
    return prices
  }

  /** Offers an order of a side meets first: asks for a buy, bids for a sell; the market's and the clients' summed. */
  levels(facing: Side, venue: 'KRX' | 'NXT'): Level[] {
    const found = new Map(this.#marketPrices(facing).map((price) => [price, this.marketCount(price)]))
    const [opposite] = this.#marketPrices(facing === 'buy' ? 'sell' : 'buy')
    const book = this.books[venue]
    for (const order of book.side(facing === 'buy' ? 'sell' : 'buy')) {
      const limit = book.limit(order)
      // The market has moved past it: it is being filled right now.
      if (opposite !== undefined && (facing === 'buy' ? limit <= opposite : limit >= opposite)) continue
      found.set(limit, (found.get(limit) ?? 0) + order.remaining)
    }
    const sorted = [...found].sort(([a], [b]) => (facing === 'buy' ? a - b : b - a))
    return sorted.slice(0, LEVELS).map(([at, count]) => ({ price: at, count }))
  }

  /** `isShown`: quotes show the new day at once. */
  beginDay(day: string, base: number, isShown: boolean): void {
    const { KRX, NXT, UN } = this.tapes
    const last = { KRX: KRX.last, NXT: NXT.last, UN: UN.last }
    this.yesterday = isShown ? null : { base: this.base, limits: this.limits, last }
    if (UN.volume > 0) {
      const { open, high, low, volume, amount } = UN
      this.history.push({ day, open, high, low, close: KRX.volume > 0 ? KRX.last : UN.last, volume, amount })
    }
    for (const tape of Object.values(this.tapes)) tape.beginDay(base)
    this.limits = dailyLimits(base, this.listing.kind)
    this.interruptedUntil = null
    this.expected = null
  }
}
