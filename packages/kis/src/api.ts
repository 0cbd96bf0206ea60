import type { KisActionKind, KisAnnouncements } from './api-announcements.ts'
import type { ExecutionsQuery, KisUnreadableHolding, KisUnreadableRow } from './api-lists.ts'

/**
 * What the KIS client offers, in our own terms: the broker's field names stop inside this package.
 * Money is whole won, counts are whole shares, instants are epoch milliseconds, days are KST `YYYYMMDD`.
 */
export type KisEnv = 'real' | 'paper'
export type KisVenue = 'KRX' | 'NXT' | 'SOR'
export type KisSide = 'buy' | 'sell'
/** Whose trades and prices are meant: KRX's, NXT's, or both together. */
export type MarketOf = 'KRX' | 'NXT' | 'UN'

export interface KisCredentials {
  readonly appKey: string
  readonly appSecret: string
  /** Ten digits: CANO (8) and product (2). Eight digits mean product 01. */
  readonly accountNumber: string
  readonly htsId: string
}

export interface NewOrder {
  readonly code: string
  readonly side: KisSide
  readonly type: 'limit' | 'market' | 'best'
  /** `after`: the KRX after-market, whose orders have codes of their own (41, 44). */
  readonly session: 'pre' | 'regular' | 'after'
  /** 0 for market and best. */
  readonly price: number
  readonly count: number
  readonly venue: KisVenue
}

/** The broker's receipt: accepted by the broker, not yet by the exchange. */
export interface Receipt {
  readonly odno: string
  readonly orgno: string
  readonly orderedAt: number
}

export interface CancelOrder {
  readonly odno: string
  readonly orgno: string
  readonly type: NewOrder['type']
  readonly session: NewOrder['session']
  readonly venue: KisVenue
}

export interface KisExecution {
  readonly day: string
  readonly odno: string
  readonly orgno: string
  readonly originalOdno: string | null
  readonly code: string
  readonly name: string
  readonly side: KisSide
  readonly venue: KisVenue
  readonly count: number
  readonly price: number
  /** Null where the broker's row has no time of the day, or none that a clock shows. */
  readonly orderedAt: number | null
  readonly filledCount: number
  readonly filledAmount: number
  readonly remainingCount: number
  readonly rejectedCount: number
  readonly cancelled: boolean
}

/** Oldest first, each order once. */
export interface KisExecutions extends ReadonlyArray<KisExecution> {
  /** When the question for the first page left, epoch ms by the client's clock; absent in lists made by hand. */
  readonly leftAt?: number
  /**
   * Rows that are missing among these: whoever concludes anything from an order's absence looks here first
   * (docs/decisions/033). Absent: none.
   */
  readonly unreadable?: readonly KisUnreadableRow[]
}

export interface KisHolding {
  readonly code: string
  readonly name: string
  readonly count: number
  readonly sellableCount: number
  readonly averagePrice: number
  readonly buyAmount: number
  readonly price: number
  readonly gainAmount: number
  readonly gainRatio: number
}

export interface KisBalance {
  /** What is held with cash: a cash order can sell it. */
  readonly holdings: readonly KisHolding[]
  /** Bought on credit or pledged for a loan: a cash order that sells it is refused. Absent: none. */
  readonly credit?: readonly KisHolding[]
  /** Missing among the holdings: whoever takes what is absent for none looks here first (docs/decisions/033). Absent: none. */
  readonly unreadable?: readonly KisUnreadableHolding[]
  /** D+2 settlement cash (`prvs_rcdl_excc_amt`). */
  readonly depositAmount: number
  /** Securities at the broker's valuation. */
  readonly stockValueAmount: number
  /** When the question left, epoch ms by the client's clock: whatever happened later may be missing. */
  readonly leftAt: number
}

export interface KisBuyable {
  /** `nrcvb_buy_qty`: shares buyable without unsettled credit, asked as a market order. */
  readonly count: number
  /** `psbl_qty_calc_unpr`: the price the count reckons with, won; the upper limit for a market order. 0 when the broker does not say. */
  readonly price: number
  /** `nrcvb_buy_amt`: cash that may be ordered for without unsettled credit, of the whole account, won. */
  readonly amount: number
  /** `ord_psbl_cash`, of the whole account, won. */
  readonly cash: number
  /** When the question left, epoch ms by the client's clock: whatever happened later may be missing. */
  readonly leftAt: number
}

/**
 * What the exchange has designated an issue as, or does to its trading. `unknown`: the broker said something that is in none of
 * its tables.
 */
export type KisIssueStatus =
  | 'liquidation'
  | 'administrative'
  | 'risk'
  | 'warning'
  | 'halted'
  | 'interrupted'
  | 'overheated'
  | 'caution'
  | 'unknown'

export interface KisQuote {
  readonly code: string
  readonly price: number
  /** Base price of the day: previous close, or adjusted on rights days. */
  readonly base: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly upper: number
  readonly lower: number
  readonly volume: number
  readonly halted: boolean
  readonly statuses: readonly KisIssueStatus[]
}

export interface KisBook {
  readonly asks: readonly { readonly price: number; readonly count: number }[]
  readonly bids: readonly { readonly price: number; readonly count: number }[]
}

export interface KisCandle {
  readonly day: string
  /** KST HHMMSS for minute bars, null for day bars. */
  readonly time: string | null
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** Minutes of an earlier day, oldest first. */
export interface KisPastMinutes {
  readonly candles: readonly KisCandle[]
  /** Whether the day has none before these. */
  readonly isLast: boolean
}

export interface KisStockInfo {
  readonly code: string
  readonly name: string
  readonly kind: 'stock' | 'etf'
  readonly market: 'KOSPI' | 'KOSDAQ' | 'KONEX'
  readonly nxt: boolean
  readonly halted: boolean
}

export interface KisHoliday {
  readonly day: string
  /** `opnd_yn`: orders are possible. */
  readonly open: boolean
}

export interface KisPeriodProfit {
  readonly days: readonly {
    readonly day: string
    readonly buyAmount: number
    readonly sellAmount: number
    readonly gainAmount: number
    readonly fee: number
    readonly tax: number
  }[]
  readonly gainAmount: number
  readonly fee: number
  readonly tax: number
}

/** What one stock brought on one day on which shares of it were sold: won, and its moving average as cost. */
export interface KisTradeProfit {
  readonly day: string
  readonly code: string
  readonly name: string
  readonly soldCount: number
  readonly buyAmount: number
  readonly sellAmount: number
  readonly gainAmount: number
  readonly fee: number
  readonly tax: number
}

/**
 * The broker's own time: a whole second, epoch ms; null: its reply says none. `ageMs`: it is at most so old, counted from the request;
 * null: nobody knows, as of what the socket says.
 */
export type TimeReceived = (at: number | null, ageMs: number | null) => void

/** Priority of a call in the one queue of its app key; lower goes first. */
export type Priority = 'order' | 'ledger' | 'quote'

export interface PriorityFigures {
  /** How many calls wait for their turn. */
  readonly waiting: number
  /** The most that waited since the last call of `queue`. */
  readonly peak: number
  /** How long the oldest has waited, ms; 0 when none waits. */
  readonly oldestMs: number
}
export type QueueFigures = Readonly<Record<Priority, PriorityFigures>>

/** The last word on a request: asked in the same turn as the socket write, after the rate slot was won. */
export interface WriteGuard {
  /** Why the request must not leave, for people; null lets it go. */
  refuse(): string | null
}

/** What keeps no price from anybody: how long is waited for it, and who waits. */
export interface BackgroundCalls {
  /** From asking for a connection to the last byte of the answer, ms. */
  readonly answerMs: number
  /** Gives up a call that is on the wire, and lets none leave afterwards. */
  readonly signal?: AbortSignal
  /** Something waits for it: after ten seconds in the queue it goes before orders, as a price does. Default: nothing does. */
  readonly isAwaited?: boolean
}

/** REST calls of one account. Every method throws only `KisError` kinds (see errors.ts). Lists are complete or the call throws. */
export interface KisRest {
  readonly env: KisEnv
  /** How many calls were sent and have no reply yet, a token request included: whoever moves time by hand waits for 0. */
  readonly unanswered: number
  /**
   * Sends one order, once: never retried here. When the guard refuses, or throws, the call throws `NotSentError` with
   * its text and nothing leaves.
   */
  order(order: NewOrder, guard?: WriteGuard): Promise<Receipt>
  /** Cancels the whole remainder. A refusal ("nothing to cancel") is a normal race. */
  cancel(order: CancelOrder, guard?: WriteGuard): Promise<Receipt>
  /** Orders and fills of the days from..to on every venue, all pages, oldest first. */
  executions(query: ExecutionsQuery): Promise<KisExecutions>
  openOrders(): Promise<readonly KisExecution[]>
  balance(): Promise<KisBalance>
  /** `withinMs`: throws `NotSentError` when the question has waited this long for its turn; it then never left. */
  buyable(code: string, withinMs?: number): Promise<KisBuyable>
  /** `ord_psbl_qty` of one stock. */
  sellable(code: string): Promise<number>
  /** Null when the broker knows no price for the code (price 0). `market`: default KRX's; on paper there is no other. */
  quote(code: string, market?: MarketOf): Promise<KisQuote | null>
  orderBook(code: string): Promise<KisBook>
  /** `original`: prices as they were traded; default: adjusted for splits and rights since. */
  dayCandles(code: string, from: string, to: string, prices?: 'adjusted' | 'original'): Promise<readonly KisCandle[]>
  /** Today's minute bars at or before `time` (HHMMSS), at most 30, oldest first. */
  minuteCandles(code: string, time: string): Promise<readonly KisCandle[]>
  /**
   * Minute bars of an earlier day at or before `time` (HHMMSS), at most 120. Whether their prices are adjusted nobody has published, and
   * they go about a year back. Real only: on paper it throws `NotOfferedError`.
   */
  pastMinutes(code: string, day: string, time: string): Promise<KisPastMinutes>
  /** Null for an unknown code. On paper (no such call) the name comes from the chart call and `nxt` is false. */
  stockInfo(code: string): Promise<KisStockInfo | null>
  /** Open days from a day on (real only; on paper throws `NotOfferedError`). */
  holidays(from: string): Promise<readonly KisHoliday[]>
  /** Actions with a record day from..to (real only), of one code or of all. Those that change no share are left out. */
  announcements(kind: KisActionKind, from: string, to: string, code?: string): Promise<KisAnnouncements>
  /** Real only. */
  periodProfit(from: string, to: string): Promise<KisPeriodProfit>
  /** Real only: on paper it throws `NotOfferedError`. */
  periodTradeProfit(from: string, to: string): Promise<readonly KisTradeProfit[]>
  /**
   * Charts that are slow or need not be soon. Such a call has a slot and a connection of its own, one at a time, so that one that hangs keeps
   * no price from anybody; it is sent once and never again.
   */
  inBackground(how: BackgroundCalls): Pick<KisRest, 'dayCandles' | 'pastMinutes'>
  /** How many calls wait to be sent. */
  queue(): QueueFigures
  close(): Promise<void>
}
