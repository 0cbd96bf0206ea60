import { holdBackAgain } from './hold-back.ts'
import { LISTING_LAG_MS } from './order-status.ts'
import { loseOrder } from './ordering.ts'
import { askCancelsAgain } from './rearm.ts'
import type { StepBuilder } from './step-builder.ts'
import type { Order } from './types.ts'

/** What was on its way when the process ended may have left, or not. */
export function onRestart(builder: StepBuilder, lateMs: number): void {
  for (const order of builder.book.orders.values()) {
    const { id, status, updatedAt } = order
    if (status === 'intended') loseOrder(builder, id, '주문을 보내던 중에 다시 시작했습니다.', lateMs)
    const leftMs = updatedAt + lateMs - builder.ctx.now
    if (openForMs(order) < lateMs && leftMs > 0) loseOrder(builder, id, order.note ?? '', leftMs)
  }
  askCancelsAgain(builder, '취소하던 중에 다시 시작했습니다.')
  holdBackAgain(builder)
}

/**
 * How long an order was waited for that its process lost sight of while its connection was open still: it was about to reset it,
 * and may have ended before it did. Infinite where there is nothing to wait for: what is reset first waits for the list alone.
 */
function openForMs({ status, odno, absentFrom, updatedAt }: Order): number {
  const ms = (absentFrom ?? updatedAt) - updatedAt
  return status === 'unknown' && odno === null && ms > LISTING_LAG_MS ? ms : Number.POSITIVE_INFINITY
}
