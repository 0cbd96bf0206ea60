import type { OrderEnd, OrderStatus } from './types.ts'

/**
 * An accepted order can be missing from the list for seconds (measured 1.1–5.3 s). Four times the lag must have passed
 * since the loss before a complete reading counts, ms: an order is neither absent nor found while an equal order of
 * somebody else may be listed before ours.
 */
export const LISTING_LAG_MS = 20_000

export type OrderMove = 'accept' | 'lose' | 'find' | 'reject' | 'askCancel' | 'keep' | 'fill' | 'end' | 'giveUp'

/**
 * Legal moves of an order. A pair that is absent is an error: the stock stops and shows it.
 * The ledger may book a fill on an ended order (a fill can overtake a cancel on the wire), never on a refused one.
 */
const NEXT: Record<OrderStatus, Partial<Record<OrderMove, true>>> = {
  // `giveUp` from intended: the call never left this machine. `find`: the reply was lost, the ledger shows the order.
  intended: { accept: true, lose: true, reject: true, giveUp: true },
  unknown: { accept: true, find: true, giveUp: true, reject: true },
  // `reject` from open: accepted by the broker, then refused by the exchange.
  open: { askCancel: true, fill: true, end: true, reject: true },
  cancelling: { keep: true, fill: true, end: true, reject: true },
  filled: {},
  cancelled: { fill: true },
  expired: { fill: true },
  // The reply refused it and the list shows it all the same: never seen, but no share must be lost by it.
  rejected: { find: true },
  // Given up, and yet it shows up in the list: taken back, so that no share is ever lost.
  notPlaced: { find: true },
}

export const mayMove = (from: OrderStatus, move: OrderMove): boolean => NEXT[from][move] === true

export type LiveStatus = Exclude<OrderStatus, OrderEnd>

/** May still trade, or may exist without our knowing: blocks another order of its lot or side. */
export const isLive = (status: OrderStatus): status is LiveStatus =>
  status === 'intended' || status === 'unknown' || status === 'open' || status === 'cancelling'

/** Nobody knows yet whether the broker has it. */
export const hasNoVerdict = (status: OrderStatus): boolean => status === 'unknown' || status === 'intended'
