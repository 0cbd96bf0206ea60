import type {
  BaseMove,
  Blocked,
  ExpectedShares,
  Fact,
  IssueKind,
  LimitState,
  Market,
  MoveRecord,
  OrderStatus,
  OrderType,
  OtherServer,
  Settings,
  Stop,
  Venue,
  VenueChoices,
} from '@digger/core'

/** Where an account stands: its stop and limits, its KST day, and the numbers it gives next. */
export interface AccountRow {
  user_id: string
  day: string
  stop: Stop
  next_order_id: number
  next_lot_id: number
  /** Number of the newest journal row. */
  seq: number
  limits: LimitState
  venues: VenueChoices
  other_server: OtherServer
  /** Null where a program before this column wrote the row. */
  shadow: boolean | null
  /** Of the shard when its owner took it: a commit of an owner before is refused. */
  epoch: number
}

export interface JournalRow {
  user_id: string
  seq: number
  at: number
  fact: Fact
}

/** What the decision looked at that made the facts from `seq` on. */
export interface DecisionRow {
  user_id: string
  /** Of its first fact. */
  seq: number
  /** How many facts it made. */
  facts: number
  at: number
  /** Written by `inputText` of core. */
  input: string
}

/** What was asked under a key, kept with what was done. */
export interface CommandKeyRow {
  user_id: string
  key: string
  /** Hash of what the key was first used for. */
  call: string
  at: number
  /** A `CommandResult` as JSON; null: only a part of it was done. */
  answer: string | null
}

export interface StockRow {
  user_id: string
  code: string
  name: string
  market: Market
  kind: IssueKind
  nxt: boolean
  settings: Settings
  stop: Stop
  blocked: Blocked | null
  kept: number
  /** Null where a program before this column wrote the row. */
  shadow: boolean | null
  frozen: BaseMove | null
  settled_on: string | null
  moves: MoveRecord | null
  expected: ExpectedShares | null
  price_subscribed: boolean
  acc_gain_amount: number
  rejects: number
  version: number
  updated_at: number
  checked_at: number | null
}

export interface OrderRow {
  user_id: string
  id: number
  code: string
  side: 'buy' | 'sell'
  origin: 'auto' | 'person'
  type: OrderType
  price: number
  count: number
  venue: Venue
  session: 'pre' | 'regular' | 'after'
  status: OrderStatus
  live: boolean
  day: string
  odno: string | null
  orgno: string | null
  filled_count: number
  filled_amount: number
  reserved_price: number
  created_at: number
  updated_at: number
  why: string
  note: string | null
  absent_from: number | null
  cancel_asked: boolean
  /** Null where a program before this column wrote the row. */
  cancel_wanted: boolean | null
}

export interface OrderLotRow {
  user_id: string
  order_id: number
  position: number
  lot_id: number
  count: number
  live: boolean
}
