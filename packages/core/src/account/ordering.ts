import { kstDay } from '../krx/kst.ts'
import type { StepBuilder } from './step-builder.ts'
import { gate } from './gate.ts'
import { isLive, LISTING_LAG_MS } from './order-status.ts'
import { isShadowed } from './refuse-shadowed.ts'
import type { Proposal } from './step-types.ts'
import type { Reason } from './types.ts'

export type Placed = { readonly ok: true; readonly orderId: number } | { readonly ok: false; readonly reason: Reason }

/** Makes an order if the gate lets it: the intent is a fact first, the sending an effect after it. Nothing else does. */
export function place(builder: StepBuilder, proposal: Proposal, why: string): Placed {
  const gateResult = gate({ book: builder.book, view: builder.view }, builder.ctx, proposal)
  if (!gateResult.ok) return gateResult
  const { stock, lotIds, side, origin, type, price, count, reservedPrice } = proposal
  const { now } = builder.ctx
  const id = builder.book.nextOrderId
  const lots =
    side === 'buy'
      ? [{ lotId: builder.book.nextLotId, count }]
      : lotIds.map((lotId) => ({ lotId, count: stock.lots.find((lot) => lot.id === lotId)?.count ?? 0 }))
  builder.record({
    kind: 'orderIntended',
    order: {
      id,
      code: stock.issue.code,
      side,
      origin,
      type,
      price,
      count,
      venue: gateResult.route.venue,
      session: gateResult.route.session,
      lots,
      status: 'intended',
      day: kstDay(now),
      odno: null,
      orgno: null,
      filledCount: 0,
      filledAmount: 0,
      reservedPrice,
      createdAt: now,
      updatedAt: now,
      why,
      note: null,
      absentFrom: null,
      cancelAsked: false,
      cancelWanted: false,
    },
  })
  builder.effect({ kind: 'send', orderId: id })
  return { ok: true, orderId: id }
}

/**
 * The client's own time-outs end long before this, ms: both tries of a call, after a full queue at paper speed. Only a
 * call that was forgotten is older.
 */
export const SEND_TIMEOUT_MS = 120_000

/**
 * No verdict came: the list decides. `lateMs`: how long it may still reach the broker and be listed; the listing lag when
 * the process that sent it has reset its connection.
 */
export function loseOrder(builder: StepBuilder, orderId: number, note: string, lateMs = LISTING_LAG_MS): void {
  builder.record({ kind: 'orderLost', orderId, note, absentFrom: builder.ctx.now + lateMs })
}

/** A call that never reports must not hold its stock until the next restart: the broker's list shows what became of it. */
export function giveUpWaiting(builder: StepBuilder): void {
  for (const { id, status, updatedAt } of builder.book.orders.values()) {
    if (status !== 'intended' || builder.ctx.now - updatedAt < SEND_TIMEOUT_MS) continue
    loseOrder(builder, id, '주문을 보냈는지 알 수 없어 증권사 기록을 확인합니다.')
    builder.readBy(builder.ctx.now)
  }
}

/** Asks the broker to cancel the rest of an order; asked once, repeated only after a failure and a pause. */
export function askCancel(builder: StepBuilder, orderId: number): boolean {
  const order = builder.book.orders.get(orderId)
  if (order === undefined || order.status !== 'open' || !builder.view.connection.authorised) return false
  if (builder.ctx.now < (builder.view.orders.cancelAfter.get(orderId) ?? 0)) return false
  builder.record({ kind: 'cancelAsked', orderId })
  builder.effect({ kind: 'cancel', orderId })
  builder.patchView({ orders: { cancelsOut: new Set(builder.view.orders.cancelsOut).add(orderId) } })
  return true
}

/** From now on it is cancelled as soon as it can be, and does not leave where it has not yet. */
export function wantCancel(builder: StepBuilder, orderId: number): void {
  if (builder.book.orders.get(orderId)?.cancelWanted === false) builder.record({ kind: 'cancelWanted', orderId })
}

/** A person's cancel holds until the order is over, also when it is still on its way or the first attempt fails. */
export function settleWantedCancels(builder: StepBuilder): void {
  for (const { id, cancelWanted } of builder.book.orders.values()) if (cancelWanted) askCancel(builder, id)
}

/**
 * Automatic orders that still rest would trade for real; what a person ordered stays until they cancel it. Where another server may
 * trade the account, as behind a book that was put back, what rests may be that one's. No wish is written: it would look like a person's.
 */
export function recallShadowed(builder: StepBuilder): void {
  if (builder.book.otherServer.suspected !== null) return
  for (const order of builder.book.orders.values()) {
    if (order.origin === 'person' || !isLive(order.status)) continue
    const stock = builder.stock(order.code)
    if (stock === undefined || !isShadowed(stock, builder.ctx)) continue
    askCancel(builder, order.id)
  }
}
