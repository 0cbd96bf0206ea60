import type { Side, Venue } from '../krx/types.ts'

/** A row of the broker's list of orders and fills (daily-ccld), normalised. Counts are totals so far. */
export interface Execution {
  readonly day: string
  readonly odno: string
  readonly orgno: string
  /** Number of the order this row modifies or cancels; null on an order of its own. */
  readonly originalOdno: string | null
  readonly code: string
  readonly name: string
  readonly side: Side
  /** Venue as the broker reports it. */
  readonly venue: Venue
  readonly count: number
  readonly price: number
  /** KST time of the order as an instant; null where the broker's row has no time that a clock shows. */
  readonly orderedAt: number | null
  readonly filledCount: number
  readonly filledAmount: number
  readonly remainingCount: number
  readonly rejectedCount: number
  readonly cancelled: boolean
}

/** Shares of one stock at the broker. */
export interface Holding {
  readonly code: string
  readonly name: string
  readonly count: number
  /** Not locked in open sells. */
  readonly sellableCount: number
  readonly averagePrice: number
  /** What the shares held cost, won. */
  readonly buyAmount: number
}

export interface BrokerBalance {
  readonly holdings: readonly Holding[]
  /** D+2 settlement cash (`prvs_rcdl_excc_amt`), won. */
  readonly depositAmount: number
}
