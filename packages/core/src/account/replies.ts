import { noteTaken } from './buying-power.ts'
import type { Draft } from './draft.ts'
import { endOrder, ownerOf } from './ending.ts'
import { isLive } from './life.ts'
import { loseOrder } from './ordering.ts'
import type { AccountEvent } from './step-types.ts'
import type { Order } from './types.ts'

/** A cancel that failed is asked again after this long, ms. */
const CANCEL_AGAIN_MS = 5_000

type Reply = Extract<AccountEvent, { orderId: number }>

/** The broker's (or our own) verdict on one call. */
export function onReply(draft: Draft, event: Reply): void {
  const order = draft.book.orders.get(event.orderId)
  if (order === undefined) return
  const { now } = draft.ctx
  switch (event.kind) {
    case 'accepted':
      return onAccepted(draft, order, event.odno, event.orgno)
    case 'refused':
      return onNotTaken(draft, order, 'rejected', event.text)
    case 'notSent':
      return onNotTaken(draft, order, 'notPlaced', event.text)
    case 'unknown':
      if (order.status === 'intended') loseOrder(draft, order.id, event.text)
      return draft.readBy(now)
    case 'cancelDone':
      // The receipt says nothing about the final count: only the list does.
      return draft.readBy(now)
    case 'cancelFailed':
      return onCancelFailed(draft, order, event.text)
  }
}

function onAccepted(draft: Draft, order: Order, odno: string, orgno: string): void {
  if (order.odno === odno) return
  const owner = ownerOf(draft.book, order.day, odno)
  if (owner !== undefined) {
    draft.block(
      order.code,
      'ambiguous',
      `주문 ${order.id}과 ${owner.id}이 같은 증권사 번호 ${odno}를 받아 멈췄습니다. 직접 확인해 주세요.`,
    )
    return draft.readBy(draft.ctx.now)
  }
  if (!draft.may(order, 'accept')) return
  draft.record({ kind: 'orderAccepted', orderId: order.id, odno, orgno })
  noteTaken(draft, order)
  // A fill notice can overtake the reply.
  if (draft.view.heard.has(odno)) draft.readBy(draft.ctx.now)
}

/** Only an order without a number can turn out not to be one; for any other the verdict contradicts the list. */
function onNotTaken(draft: Draft, order: Order, end: 'rejected' | 'notPlaced', text: string): void {
  if (!isLive(order.status)) return
  if (order.odno !== null) {
    draft.block(order.code, 'ambiguous', `증권사 목록에 있는 주문 ${order.id}이 거절됐다고 해서 멈췄습니다: ${text}`)
    return
  }
  endOrder(draft, order, end, text)
}

/** "Nothing to cancel" is a normal race with a fill; a lost reply may have cancelled it. The list tells. */
function onCancelFailed(draft: Draft, order: Order, text: string): void {
  const { now } = draft.ctx
  if (order.status === 'cancelling') {
    draft.know({ cancelAfter: new Map(draft.view.cancelAfter).set(order.id, now + CANCEL_AGAIN_MS) })
    draft.record({ kind: 'cancelRefused', orderId: order.id, note: text })
  }
  draft.readBy(now)
}
