/** What nobody outside knows for sure of how the exchanges and the broker's way to them treat an issue. */
export interface MarketAssumptions {
  /** SOR orders are taken in the KRX after-market. */
  readonly sorAfterMarket: boolean
  /**
   * What an order to NXT is refused with while NXT has stopped its issue. No text has been published: the one for an issue
   * NXT does not list, or one that speaks of a halt, which a client may take for a halt everywhere.
   */
  readonly nxtStopRefusedAs: 'untradable' | 'halted'
}
