import { z } from 'zod'
import { ExecutedOrder, OrderType, Stop } from './entities.ts'
import { Reason } from './reasons.ts'
import { instant, shares, stockCode, won } from './scalars.ts'

/** What would have become of a stock by the prices that came. */
export const Rehearsed = z.object({
  /** Lots and what they would have cost, those that the stock began with among them. */
  remainCount: shares,
  remainAmount: won,
  /** Against the last price; null where none is known. */
  openGain: won.nullable(),
  /** Of what would have been sold since it went into the shadow, before costs. */
  realisedGain: won,
  /** Orders that would rest now. */
  orders: shares,
  /** Why it would be traded or not, as of a stock. Absent: an older server. */
  reasons: z.array(Reason).exactOptional(),
  /** Its book is stopped, as the real account or by limits of its own, in words: those stay until `setShadow` into the shadow once more. */
  stopped: z.object({ stop: Stop, reached: z.array(z.string()) }).exactOptional(),
})

/** What leaving the shadow would send, by the last prices. */
const StartOrders = z.array(z.object({ orderType: OrderType, qty: shares, price: won }))

export const ShadowStock = z.object({
  code: stockCode,
  name: z.string(),
  /** Only rehearsed: by its own switch, or because everything is. */
  shadow: z.boolean(),
  /** Null while nothing of it is rehearsed, or the rehearsal is not there yet. */
  rehearsed: Rehearsed.nullable(),
})
export type ShadowStock = z.infer<typeof ShadowStock>

/** What leaving the shadow would send for one stock: none where it cannot, or need not, leave it. */
export const RealStart = z.object({
  /** At once, and one after the other. */
  atOnce: StartOrders,
  /** While no session is open: when the next one opens. */
  atOpening: StartOrders,
})
export type RealStart = z.infer<typeof RealStart>

/** How the rehearsal takes an order that was never sent for filled: see `FillRule`. */
export const ShadowRule = z.enum(['cautious', 'through', 'touch'])

export const Shadow = z.object({
  /** SHADOW=1: nothing of any account of this server is sent. */
  everything: z.boolean(),
  /** Stocks added from now on begin in the shadow. */
  newStocks: z.boolean(),
  rule: ShadowRule,
  /** Its book could not be opened; that is tried again. */
  failed: z.literal(true).exactOptional(),
  stocks: z.array(ShadowStock),
})
export type Shadow = z.infer<typeof Shadow>

/** An order that would have been sent, with what would have filled of it. */
export const ShadowOrder = ExecutedOrder.extend({
  orderId: z.string(),
  /** Whether it would rest still. */
  live: z.boolean(),
  filledQty: shares,
  filledAmount: won,
  auto: z.boolean(),
  /** Why it would have been made. */
  why: z.string(),
  updatedAt: instant,
})
export type ShadowOrder = z.infer<typeof ShadowOrder>
