import { expired } from '../krx/route.ts'
import type { StepBuilder } from './step-builder.ts'
import { bookFill } from './book-fill.ts'
import { endOrder, orderKey } from './end-order.ts'
import { holdBack } from './hold-back.ts'
import { isLive, LISTING_LAG_MS } from './order-status.ts'
import { endOfRow } from './row-end.ts'
import { SEND_TIMEOUT_MS } from './ordering.ts'
import type { BrokerSnapshot } from './step-types.ts'
import { noteStrangers } from './strangers.ts'
import { isAbsent, settleUnknown } from './unknown.ts'
import { forgetUnlisted, noteUnlisted } from './unlisted.ts'
import type { Execution, Order } from './types.ts'

/** While a noticed fill is missing from the list, it is read again after this, ms (the lag was measured: 1.1–5.3 s). */
const READ_AGAIN_MS = 2_000
/** A cancel the broker took but the list does not show for this long is asked again, ms. */
const CANCEL_TIMEOUT_MS = LISTING_LAG_MS

/**
 * Books what the broker's list of orders shows. Totals are compared with totals, so reading the same list twice, late or
 * out of turn books nothing twice. The only place where shares enter or leave the book by trading.
 */
export function applyExecutions(builder: StepBuilder, snapshot: BrokerSnapshot): void {
  settleUnknown(builder, snapshot.executions.filter(isNoChange), snapshot)
  for (const { id } of applySeen(builder, snapshot)) {
    const order = builder.book.orders.get(id)
    if (order !== undefined && isLive(order.status)) applyAbsence(builder, order, snapshot)
  }
  noteStrangers(builder, snapshot.executions, snapshot.askedAt)
  forgetNoticedFills(builder, snapshot.askedAt)
}

/** Books what rows show of our orders, and nothing else. Returns the orders with a number that none of them shows. */
export function applySeen(
  builder: StepBuilder,
  { askedAt, executions }: Pick<BrokerSnapshot, 'askedAt' | 'executions'>,
): Order[] {
  const cancelled = new Set(executions.flatMap((row) => originalKey(row) ?? []))
  const rows = Map.groupBy(executions.filter(isNoChange), ({ day, odno }) => orderKey(day, odno))
  const missing: Order[] = []
  for (const { id } of builder.book.orders.values()) {
    const order = builder.book.orders.get(id)
    if (order?.odno == null) continue
    const key = orderKey(order.day, order.odno)
    const row = rowOf(order, rows.get(key) ?? [])
    if (row === undefined) missing.push(order)
    else {
      forgetUnlisted(builder, order.id)
      applyRow(builder, order, row, askedAt, cancelled.has(key))
    }
  }
  return missing
}

/** An order of its own: it neither cancels nor modifies another. */
const isNoChange = ({ originalOdno }: Execution): boolean => originalOdno === null

/** Of rows that carry its number, the order's own: branches of the broker may count for themselves. */
function rowOf(order: Order, rows: readonly Execution[]): Execution | undefined {
  const alike = rows.filter(({ code, side }) => code === order.code && side === order.side)
  const ofCount = alike.filter(({ count }) => count === order.count)
  return ofCount.find(({ orgno }) => orgno === order.orgno) ?? ofCount[0] ?? alike.at(-1)
}

/** The order that a row cancels or modifies. */
const originalKey = ({ day, originalOdno }: Execution): string | null =>
  originalOdno === null ? null : orderKey(day, originalOdno)

function applyRow(builder: StepBuilder, order: Order, row: Execution, askedAt: number, hasCancelRow: boolean): void {
  if (row.filledCount > order.filledCount && !bookFill(builder, order, row)) return
  const now = builder.book.orders.get(order.id) ?? order
  if (!isLive(now.status)) return
  const { now: readAt, timetable } = builder.ctx
  const ended = endOfRow(now, row, { askedAt, readAt, hasCancelRow, view: builder.view.orders, timetable })
  if (ended !== null) {
    // One of an earlier day, found today, was taken back for that day.
    if (ended.byOther && now.day === builder.book.day) holdBack(builder, now)
    return endOrder(builder, now, ended.end, ended.note)
  }
  if (isExpired(builder, now, askedAt)) return endOrder(builder, now, 'expired', '장이 끝나 소멸했습니다.')
  // One that still waits in our own queue would only be asked twice. A call that never reports holds nothing for ever.
  const isOut = builder.view.orders.cancelsOut.has(now.id) && askedAt < now.updatedAt + SEND_TIMEOUT_MS
  if (now.status === 'cancelling' && !isOut && askedAt >= now.updatedAt + CANCEL_TIMEOUT_MS) {
    builder.record({ kind: 'cancelRefused', orderId: now.id, note: '취소가 아직 되지 않아 다시 시도합니다.' })
  }
}

/**
 * An accepted order that no list shows: while it may still trade it is only noted as missing; after its session it is
 * over.
 */
function applyAbsence(builder: StepBuilder, order: Order, snapshot: BrokerSnapshot): void {
  if (!isExpired(builder, order, snapshot.askedAt)) return noteUnlisted(builder, order, snapshot)
  if (isAbsent(builder, order, snapshot))
    endOrder(builder, order, 'expired', '증권사 기록에 없고 장이 끝나 소멸한 것으로 봅니다.')
}

const isExpired = (builder: StepBuilder, { venue, session, day }: Order, at: number): boolean =>
  expired(venue, session, day, at, builder.ctx.timetable)

/**
 * Notices are only hints: one that the list has caught up with is forgotten, else we ask again soon. Those of other
 * programs' orders, and repeated ones, never show in the list: past the listing lag all are forgotten.
 */
function forgetNoticedFills(builder: StepBuilder, askedAt: number): void {
  if (builder.view.orders.noticedFills.size === 0) return
  const known = new Map([...builder.book.orders.values()].map((order) => [order.odno, order.filledCount]))
  const open = [...builder.view.orders.noticedFills].filter(([odno, count]) => (known.get(odno) ?? 0) < count)
  const over = askedAt >= builder.view.orders.noticedAt + LISTING_LAG_MS
  builder.patchView({ orders: { noticedFills: new Map(over ? [] : open) } })
  if (open.length > 0 && !over) builder.readBy(builder.ctx.now + READ_AGAIN_MS)
}
