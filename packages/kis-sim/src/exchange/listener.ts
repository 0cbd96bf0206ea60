import type { SimOrder } from '../ledger/account.ts'
import type { SimIssue } from './issue.ts'
import type { Print } from './tape.ts'
import type { VenueName } from './venue.ts'

/** An observer of the market. */
export interface MarketListener {
  /** One trade, already on the tape. `expected`: nobody traded, it is the price an auction would give now. */
  printed?(issue: SimIssue, venue: VenueName, print: Print, expected: boolean): void
  /** The trades printed since the last call belong together. */
  settled?(issue: SimIssue, venue: VenueName): void
  /** The orders these trades reached are filled; the quotes are what is left. */
  quoted?(issue: SimIssue, venue: VenueName): void
  /** The exchange has an order, or a change to one. */
  arrived?(order: SimOrder): void
  /** MKOP_CLS_CODE of a change of state, on one venue or on both. */
  operation?(issue: SimIssue, code: string, only?: VenueName): void
}
