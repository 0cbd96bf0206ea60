import { dailyLimits, type PriceBand, type Side } from '@digger/core'
import { streamKey } from '../runtime/random.ts'
import type { CorporateAction } from './happening.ts'
import { IssueStatus } from './issue-status.ts'
import type { MarketAssumptions } from './market-assumptions.ts'
import type { PhaseName } from './market-hours.ts'
import type { Listing } from './universe.ts'
import { LEVELS, Quotes, type Level } from './quotes.ts'
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

/** What quotes show of a day that is over. */
export interface ShownDay {
  readonly base: number
  readonly limits: PriceBand
  readonly last: Readonly<Record<TapeVenue, number>>
}

interface QuoteOptions {
  readonly seed: number
  /** Won the market offers at each price level. */
  readonly levelWon: number
  readonly venuePrices: MarketAssumptions['venuePrices']
}

/** Depth of NXT as a share of KRX's, where it has its own. */
const NXT_DEPTH = 0.2

/** One listed issue: today's prices, the market's own quotes around them, and the client orders waiting in between. */
export class SimIssue {
  readonly listing: Listing
  readonly status: IssueStatus
  readonly tapes: Record<TapeVenue, Tape>
  readonly books: Record<'KRX' | 'NXT', RestingBook> = { KRX: new RestingBook(), NXT: new RestingBook() }
  /** What made, or will make, another share of it, as far as anybody has decided. */
  readonly actions: CorporateAction[] = []
  /** Days before today, oldest first. */
  history: DayBar[] = []
  limits: PriceBand
  /** The day before, as long as quotes still show it; null: they show today. The exchange judges by today all the time. */
  yesterday: ShownDay | null = null
  /** What the market itself offers; where the venues share one price, both are the same. */
  readonly quotes: Readonly<Record<'KRX' | 'NXT', Quotes>>
  /** A volatility interruption: until when orders only collect. Null: none. */
  interruptedUntil: number | null = null
  /** The price an auction would give now, and the market's shares in it. Null: the last price, and none. */
  expected: { readonly price: number; readonly count: number } | null = null
  /** Steps its price walk has made; the walk goes on from here. */
  step = 0

  constructor(listing: Listing, { seed, levelWon, venuePrices }: QuoteOptions) {
    this.listing = listing
    this.status = new IssueStatus(listing)
    const { base, code, kind } = listing
    const KRX = new Quotes(base, kind, { depthKey: streamKey(seed, code, 'depth'), levelWon })
    const own = { depthKey: streamKey(seed, code, 'depth', 'NXT'), levelWon: levelWon * NXT_DEPTH }
    this.quotes = { KRX, NXT: venuePrices === 'own' ? new Quotes(base, kind, own) : KRX }
    this.tapes = { KRX: new Tape(base), NXT: new Tape(base), UN: new Tape(base) }
    this.limits = dailyLimits(base, listing.kind)
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

  /** Best quotes of KRX. */
  get bid(): number {
    return this.quotes.KRX.bid
  }

  get ask(): number {
    return this.quotes.KRX.ask
  }

  get hasOwnPrices(): boolean {
    return this.quotes.NXT !== this.quotes.KRX
  }

  /** Offers an order of a side meets first: asks for a buy, bids for a sell; the market's and the clients' summed. */
  levels(facing: Side, venue: 'KRX' | 'NXT'): Level[] {
    const quotes = this.quotes[venue]
    const found = new Map(quotes.levels(facing, this.limits).map(({ price, count }) => [price, count]))
    const [opposite] = quotes.levels(facing === 'buy' ? 'sell' : 'buy', this.limits)
    const book = this.books[venue]
    for (const order of book.side(facing === 'buy' ? 'sell' : 'buy')) {
      const limit = book.limit(order)
      // The market has moved past it: it is being filled right now.
      if (opposite !== undefined && (facing === 'buy' ? limit <= opposite.price : limit >= opposite.price)) continue
      found.set(limit, (found.get(limit) ?? 0) + order.remaining)
    }
    return sorted(found, facing)
  }

  /** As quotes show them. Of the unified market: both venues' where they have prices of their own, else the given one's. */
  shownLevels(facing: Side, shown: TapeVenue, venue: 'KRX' | 'NXT'): Level[] {
    if (shown !== 'UN' || !this.hasOwnPrices) return this.levels(facing, venue)
    const both = new Map<number, number>()
    for (const { price, count } of [...this.levels(facing, 'KRX'), ...this.levels(facing, 'NXT')]) {
      both.set(price, (both.get(price) ?? 0) + count)
    }
    return sorted(both, facing)
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
    // Another share: its market begins around the new base.
    if (base !== last.KRX) for (const quotes of new Set(Object.values(this.quotes))) quotes.around(base, 'buy')
    this.limits = dailyLimits(base, this.listing.kind)
    this.interruptedUntil = null
    this.expected = null
  }
}

const sorted = (counts: ReadonlyMap<number, number>, facing: Side): Level[] =>
  [...counts]
    .sort(([a], [b]) => (facing === 'buy' ? a - b : b - a))
    .slice(0, LEVELS)
    .map(([price, count]) => ({ price, count }))
