import type { IssueStatus } from '@digger/core'

/** Called in the turn in which something of a stock was seen. */
export interface PricesObserver {
  /** A trade, or a reading of the price. */
  priceChanged(code: string): void
}

export interface MarketObserver extends PricesObserver {
  /** What a stock is designated as. */
  statusesChanged(code: string): void
}

/** The last price of a stock, for people. Won. */
export interface LastPrice {
  readonly price: number
  /** When it was seen here, epoch ms. */
  readonly at: number
}

/** What is known of an issue's designations, and when it was last read, epoch ms; null: not yet. */
export interface KnownStatuses {
  readonly statuses: readonly IssueStatus[]
  readonly at: number | null
}
