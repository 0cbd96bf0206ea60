import type { OrderStatus } from './types.ts'

export type OrderMove = 'accept' | 'lose' | 'find' | 'reject' | 'askCancel' | 'keep' | 'fill' | 'end' | 'giveUp'

/**
 * Legal moves of an order. A pair that is absent is a surprise: the stock stops and says so.
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
  rejected: {},
  // Given up, and yet it shows up in the list: taken back, so that no share is ever lost.
  notPlaced: { find: true },
}

export const mayMove = (from: OrderStatus, move: OrderMove): boolean => NEXT[from][move] === true

/** May still trade, or may exist without our knowing: blocks another order of its lot or side. */
export const isLive = (status: OrderStatus): boolean =>
  status === 'intended' || status === 'unknown' || status === 'open' || status === 'cancelling'
