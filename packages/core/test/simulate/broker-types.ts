import type { AccountEvent, BaseMove, Execution, Issue, Order, PriceBand, Side, Venue } from '../../src/index.ts'

/** What the broker refuses an order for, as its words are read. */
export type Cause = NonNullable<Extract<AccountEvent, { kind: 'refused' }>['cause']>

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
  /** Its owner ended it in the broker's own app, or NXT withdrew it. */
  byOther: boolean
  /** The order in whose place its owner put it. */
  readonly replaces: string | null
  /** What lists show, newest last. */
  readonly shown: Shown[]
}

export interface Shown {
  readonly from: number
  readonly row: Execution
}

export interface Listed {
  issue: Issue
  readonly name: string
  price: number
  band: PriceBand
  halted: boolean
  /** The quotes say so, too. */
  haltPublished: boolean
  /** Orders are collected for a single price: nothing fills. */
  collects: boolean
  /** NXT has suspended it for today. */
  offNxt: boolean
  /** KRX's after-market leaves it out. */
  readonly noAfterMarket: boolean
  /** What the broker shows of the day's limits in the morning, until when: nothing yet, or those of the day before. */
  late: { readonly until: number; readonly band: PriceBand | null } | null
  /** What the base price of today says; absent: nobody knows. */
  moved?: BaseMove | null
  /** New shares for each old one, over all days: where the model's price moves around follows it. */
  factor: number
}

export type Verdict =
  | { readonly ok: true; readonly odno: string }
  | { readonly ok: false; readonly text: string; readonly cause: Cause }
