/** Stocks have one tick table, ETFs and ETNs another (kis-protocol 7.1). */
export type IssueKind = 'stock' | 'etf'
export type Market = 'KOSPI' | 'KOSDAQ' | 'KONEX'
/** Where an order rests. SOR lets the broker choose between KRX and NXT. */
export type Venue = 'KRX' | 'NXT' | 'SOR'
export type Side = 'buy' | 'sell'

/** What the market rules need to know of one issue. */
export interface Issue {
  readonly code: string
  readonly kind: IssueKind
  readonly market: Market
  /** Tradable on NXT today. */
  readonly nxt: boolean
}

/** Today's lowest and highest orderable price, in won. */
export interface PriceBand {
  readonly lower: number
  readonly upper: number
}
