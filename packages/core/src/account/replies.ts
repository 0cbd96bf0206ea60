import { dayEnds } from '../krx/session.ts'
import { noteAcceptedBuy } from './buying-power.ts'
import type { StepBuilder } from './step-builder.ts'
import { endOrder, ownerOf } from './end-order.ts'
import { isLive, LISTING_LAG_MS } from './order-status.ts'
import { loseOrder } from './ordering.ts'
import type { RefusalCause } from './refusal-cause.ts'
import type { AccountEvent } from './step-types.ts'
import type { Order } from './types.ts'

/** A cancel that failed is asked again after this long, ms. */
const CANCEL_AGAIN_MS = 5_000

type Reply = Extract<AccountEvent, { orderId: number }>

/** The broker's (or our own) verdict on one call. */
export function onReply(builder: StepBuilder, event: Reply): void {
  const order = builder.book.orders.get(event.orderId)
  if (order === undefined) return
  const { now } = builder.ctx
  switch (event.kind) {
    case 'accepted':
      return onAccepted(builder, order, event.odno, event.orgno)
    case 'refused':
      return onNotTaken(builder, order, 'rejected', event.text, event.cause)
    case 'notSent':
      return onNotTaken(builder, order, 'notPlaced', event.text)
    case 'unknown':
      if (order.status === 'intended' || isResetLate(order, now)) loseOrder(builder, order.id, event.text)
      return builder.readBy(now)
    case 'cancelDone':
      noteCancelAnswered(builder, order)
      // The receipt does not carry the final count: only the list does.
      return builder.readBy(now)
    case 'cancelFailed':
      noteCancelAnswered(builder, order)
      return onCancelFailed(builder, order, event)
  }
}

/**
 * Lost sight of when the account was read again, with its connection open; that is reset only now, because the process stood still.
 * The order may have arrived a moment ago.
 */
const isResetLate = ({ status, odno, absentFrom }: Order, now: number): boolean =>
  status === 'unknown' && odno === null && (absentFrom ?? 0) < now + LISTING_LAG_MS

function onAccepted(builder: StepBuilder, order: Order, odno: string, orgno: string): void {
  if (order.odno === odno) return
  const owner = ownerOf(builder.book, order.day, odno)
  if (owner !== undefined) {
    builder.block(
      order.code,
      'ambiguous',
      `주문 ${order.id}과 ${owner.id}이 같은 증권사 번호 ${odno}를 받아 멈췄습니다. 직접 확인해 주세요.`,
    )
    return builder.readBy(builder.ctx.now)
  }
  if (!builder.assertMove(order, 'accept')) return
  builder.record({ kind: 'orderAccepted', orderId: order.id, odno, orgno })
  noteAcceptedBuy(builder, order)
  // A fill notice can overtake the reply.
  if (builder.view.orders.noticedFills.has(odno)) builder.readBy(builder.ctx.now)
}

/** Only an order without a number can turn out never to have been placed; for any other the verdict contradicts the list. */
function onNotTaken(
  builder: StepBuilder,
  order: Order,
  end: 'rejected' | 'notPlaced',
  text: string,
  cause?: RefusalCause,
): void {
  if (!isLive(order.status)) return
  if (order.odno !== null) {
    builder.block(order.code, 'ambiguous', `증권사 목록에 있는 주문 ${order.id}이 거절됐다고 해서 멈췄습니다: ${text}`)
    return
  }
  endOrder(builder, order, end, text, cause)
}

/** "Nothing to cancel" is a normal race with a fill; a lost reply may have cancelled it. The list decides. */
function onCancelFailed(
  builder: StepBuilder,
  order: Order,
  { text, nothingLeft }: Extract<Reply, { kind: 'cancelFailed' }>,
): void {
  const { now } = builder.ctx
  if (order.status === 'cancelling') {
    builder.patchView({
      orders: { cancelAfter: new Map(builder.view.orders.cancelAfter).set(order.id, now + CANCEL_AGAIN_MS) },
    })
    builder.record({ kind: 'cancelRefused', orderId: order.id, note: text })
    if (nothingLeft === true) noteNothingLeft(builder, order)
  }
  builder.readBy(now)
}

function noteCancelAnswered(builder: StepBuilder, { id }: Order): void {
  const { cancelsOut } = builder.view.orders
  if (cancelsOut.has(id))
    builder.patchView({ orders: { cancelsOut: new Set([...cancelsOut].filter((one) => one !== id)) } })
}

/**
 * With a fill the list shows it within its lag. Past the close a SOR order that went to KRX is over although its remainder
 * may still be listed; no list says so, and only then the broker's word ends it.
 */
function noteNothingLeft(builder: StepBuilder, { id, day }: Order): void {
  const { now, timetable } = builder.ctx
  if (now < dayEnds(day, timetable).regular || builder.view.orders.nothingLeft.has(id)) return
  builder.patchView({ orders: { nothingLeft: new Map(builder.view.orders.nothingLeft).set(id, now) } })
}
