import type { BaseMove, Execution, Issue, Order, PriceBand, Side, Venue } from '../../src/index.ts'

/** A request as it reaches the broker. `label` is the sender's own number: the truth of the model, never sent to Digger. */
export interface Request {
  readonly label: number | null
  readonly code: string
  readonly side: Side
  readonly type: Order['type']
  readonly price: number
  readonly count: number
  readonly venue: Venue
  readonly session: Order['session']
}

export interface BrokerOrder extends Request {
  label: number | null
  readonly odno: string
  readonly day: string
  readonly orderedAt: number
  filledCount: number
  filledAmount: number
  open: boolean
  cancelled: boolean
  rejected: boolean
  expired: boolean
  /** Its owner cancelled it in the broker's own app. */
  byPhone: boolean
  /** What lists show, newest last. */
  readonly shown: { readonly from: number; readonly row: Execution }[]
}

export interface Listed {
  readonly issue: Issue
  readonly name: string
  price: number
  band: PriceBand
  halted: boolean
  /** What the base price of today says; absent: nobody knows. */
  moved?: BaseMove | null
  /** New shares for each old one, over all days: where the model's price moves around follows it. */
  factor: number
}

export type Verdict = { readonly ok: true; readonly odno: string } | { readonly ok: false; readonly text: string }
