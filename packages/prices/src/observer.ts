/** Called in the turn in which a price of the stock was seen: a trade, or a reading. */
export interface PricesObserver {
  priceChanged(code: string): void
}

/** The last price of a stock, for people. Won. */
export interface LastPrice {
  readonly price: number
  /** When it was seen here, epoch ms. */
  readonly at: number
}
