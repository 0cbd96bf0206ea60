import type { BaseMove, PriceBand, Quote } from '@digger/core'
import type { Trade } from '@digger/kis'

/** Before any line was there. */
export const ALWAYS = Number.NEGATIVE_INFINITY

/** What is known of one stock on one venue. */
export interface Entry {
  price: number
  /** Of the last trade seen; 0: none was. */
  at: number
  /** Since when the price is known, by a trade or a reading. */
  shownAt: number
  live: boolean
  halted: boolean
  /** Undefined where it is none: it is written with every decision. */
  statuses: Quote['statuses']
  /** Of the day; null: not read yet. */
  band: PriceBand | null
  base: number | null
  /** The base by the day's own trades; null: none was seen. */
  tradedBase: number | null
  moved: BaseMove | null | undefined
  /** What is known of the base is contradicted; until limits are read that are not. */
  isDoubted: boolean
  /** How often anything above was set anew. */
  changes: number
  /**
   * The next trade only re-bases, unless a line brings it that has been there for longer than this, `performance.now()`: a line was
   * interrupted then. Null: no line was since the last trade.
   */
  gapAt: number | null
  /** The last trade seen. */
  newest: Trade | null
}

/** Of a stock of which nothing was seen yet. */
export const unseen = (): Entry => ({
  price: 0,
  at: 0,
  shownAt: 0,
  live: false,
  halted: false,
  statuses: undefined,
  band: null,
  base: null,
  tradedBase: null,
  moved: undefined,
  isDoubted: false,
  changes: 0,
  gapAt: ALWAYS,
  newest: null,
})
