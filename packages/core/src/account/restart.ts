import { holdBackAgain } from './hold-back.ts'
import { loseOrder } from './ordering.ts'
import { askCancelsAgain } from './rearm.ts'
import type { StepBuilder } from './step-builder.ts'

/** What was on its way when the process ended may have left, or not. */
export function onRestart(builder: StepBuilder, lateMs: number): void {
  for (const { id, status } of builder.book.orders.values()) {
    if (status === 'intended') loseOrder(builder, id, '주문을 보내던 중에 다시 시작했습니다.', lateMs)
  }
  askCancelsAgain(builder, '취소하던 중에 다시 시작했습니다.')
  holdBackAgain(builder)
}
