import { moveReferenceAfterBuy } from './reference.ts'
import type { StepBuilder } from './step-builder.ts'
import type { RefusalCause } from './refusal-cause.ts'
import { waitAfter } from './refusals.ts'
import type { Book, Order, OrderEnd } from './types.ts'

/** Rejects in a row after which a stock stops by itself (design 4). */
export const MAX_REJECTS = 3

/** Broker numbers are unique per day only. */
export const orderKey = (day: string, odno: string): string => `${day} ${odno}`

/** The order that carries a broker number on a day: a number belongs to one order only. */
export function ownerOf(book: Book, day: string, odno: string): Order | undefined {
  for (const order of book.orders.values()) if (order.odno === odno && order.day === day) return order
  return undefined
}

/** `cause`: of a reject. */
export function endOrder(
  builder: StepBuilder,
  order: Order,
  end: OrderEnd,
  note: string | null,
  cause: RefusalCause = 'order',
): void {
  const move = end === 'rejected' ? 'reject' : end === 'notPlaced' ? 'giveUp' : 'end'
  if (!builder.assertMove(order, move)) return
  builder.record({ kind: 'orderEnded', orderId: order.id, end, note, ...(end === 'rejected' && { cause }) })
  if (order.side === 'buy' && order.filledCount > 0) moveReferenceAfterBuy(builder, order)
  if (end === 'rejected') waitAfter(builder, order, cause, note)
  if (end === 'notPlaced') waitAfter(builder, order, 'notPlaced')
  if (end === 'rejected' && cause === 'order' && order.origin === 'auto')
    stopAfterRejects(builder, order, note ?? '이유 없음')
}

/**
 * What only buys were refused for says nothing against offering what is held, and a lot without its target is the greater harm.
 * A sell that is refused afterwards stops it, too; a stock that has stopped whole stays so. What a person has to tell apart the
 * next day's try would not settle; and shares that are missing hold the buys back already, and the sells, too.
 */
function stopAfterRejects(builder: StepBuilder, { code, side }: Order, why: string): void {
  const { rejects = 0, blocked = null } = builder.stock(code) ?? {}
  if (rejects < MAX_REJECTS) return
  const stoppedWhole = blocked?.code === 'rejects' && blocked.buysOnly !== true
  const buysOnly = side === 'buy' && !stoppedWhole
  if (blocked?.code === 'ambiguous' || (buysOnly && blocked?.code === 'mismatch')) return
  const text = buysOnly
    ? `매수가 세 번 이어서 거절되어 매수를 멈췄습니다. 매도는 그대로 합니다. 다음 거래일에 한 번 다시 냅니다: ${why}`
    : `주문이 세 번 이어서 거절되어 멈췄습니다. 다음 거래일에 한 번 다시 냅니다: ${why}`
  builder.block(code, 'rejects', text, false, buysOnly)
}
