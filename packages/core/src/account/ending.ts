import { won } from '../ladder/words.ts'
import { referenceAfterBuy } from '../ladder/buy.ts'
import type { Draft } from './draft.ts'
import type { Order, OrderEnd } from './types.ts'

/** Rejects in a row after which a stock stops by itself (design 4). */
const MAX_REJECTS = 3

/** Broker numbers are unique per day only. */
export const orderKey = (day: string, odno: string): string => `${day} ${odno}`

export function endOrder(draft: Draft, order: Order, end: OrderEnd, note: string | null): void {
  const move = end === 'rejected' ? 'reject' : end === 'notPlaced' ? 'giveUp' : 'end'
  if (!draft.may(order, move)) return
  draft.record({ kind: 'orderEnded', orderId: order.id, end, note })
  if (order.side === 'buy' && order.filledCount > 0) moveReferenceAfterBuy(draft, order)
  const stock = draft.stock(order.code)
  if (end === 'rejected' && stock !== undefined && stock.rejects >= MAX_REJECTS) {
    draft.block(order.code, 'rejects', `주문이 세 번 이어서 거절되어 멈췄습니다: ${note ?? '이유 없음'}`)
  }
}

export function moveReferenceAfterBuy(draft: Draft, order: Order): void {
  const price = referenceAfterBuy(order.filledAmount, order.filledCount)
  draft.record({ kind: 'referenceMoved', code: order.code, price, why: `매수 체결 평균 ${won(price)}` })
}
