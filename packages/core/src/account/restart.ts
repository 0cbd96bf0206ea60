import { holdBackAgain } from './hold-back.ts'
import { hasNoVerdict, LISTING_LAG_MS } from './order-status.ts'
import { loseOrder } from './ordering.ts'
import { askCancelsAgain } from './rearm.ts'
import type { StepBuilder } from './step-builder.ts'
import type { Order } from './types.ts'
import { CLOCK_SKEW_MS } from './unknown.ts'

/**
 * What was on its way when the process ended may have left, or not. Until the time is known it is left as it is: a process that ended
 * before would leave waits behind that end hours too late, or have ended long ago.
 */
export function onRestart(builder: StepBuilder, lateMs: number): void {
  builder.patchView({ connection: { inheritedMs: lateMs } })
  takeInheritance(builder)
}

/** What a restart left to be decided once the time is known. */
export function takeInheritance(builder: StepBuilder): void {
  const { inheritedMs } = builder.view.connection
  if (inheritedMs === null || builder.ctx.isTimeUnknown === true) return
  builder.patchView({ connection: { inheritedMs: null } })
  inherit(builder, inheritedMs)
}

function inherit(builder: StepBuilder, lateMs: number): void {
  const { now } = builder.ctx
  const orders = [...builder.book.orders.values()]
  const doubtful = orders.filter(({ status, createdAt }) => hasNoVerdict(status) && isToCome(createdAt, now))
  const { clockUncertain } = builder.view.orders
  builder.patchView({ orders: { clockUncertain: new Set([...clockUncertain, ...doubtful.map(({ id }) => id)]) } })
  for (const order of orders) {
    const waitMs = waitMsOf(order, lateMs, now)
    const note = order.status === 'intended' ? '주문을 보내던 중에 다시 시작했습니다.' : (order.note ?? '')
    if (waitMs !== null) loseOrder(builder, order.id, note, waitMs)
  }
  askCancelsAgain(builder, '취소하던 중에 다시 시작했습니다.')
  holdBackAgain(builder)
}

/** Written by a clock that was ahead. */
const isToCome = (at: number, now: number): boolean => at > now + CLOCK_SKEW_MS

/** How long the order is waited for from now on; null: its wait, if it has any, goes on as it is. */
function waitMsOf(order: Order, lateMs: number, now: number): number | null {
  const { status, odno, updatedAt } = order
  if (status === 'intended') return lateMs
  // What was lost at a time to come would be settled no sooner than that.
  if (status === 'unknown' && odno === null && isToCome(updatedAt, now)) return Math.max(lateMs, LISTING_LAG_MS)
  const leftMs = updatedAt + lateMs - now
  return openForMs(order) < lateMs && leftMs > 0 ? leftMs : null
}

/**
 * How long an order was waited for that its process lost sight of while its connection was open still: it was about to reset it,
 * and may have ended before it did. Infinite where there is nothing to wait for: what is reset first waits for the list alone.
 */
function openForMs({ status, odno, absentFrom, updatedAt }: Order): number {
  const ms = (absentFrom ?? updatedAt) - updatedAt
  return status === 'unknown' && odno === null && ms > LISTING_LAG_MS ? ms : Number.POSITIVE_INFINITY
}
