import type { Draft } from './draft.ts'
import { endOrder, orderKey } from './ending.ts'
import type { Execution, Order } from './types.ts'

/**
 * An accepted order can be missing from the list for seconds (measured 1.1–5.3 s); four times that must have passed
 * since the loss before a complete reading may count as "not there", ms.
 */
export const LISTING_LAG_MS = 20_000
/** Complete readings past the lag that must miss an order before it is given up. */
const ABSENCES = 2
/** Broker order times have whole seconds and a clock of their own, ms. */
const CLOCK_SKEW_MS = 5_000

/** Settles orders without a verdict from the list: found, given up, or a person decides. Never sends anything again. */
export function settleUnknown(draft: Draft, rows: readonly Execution[], askedAt: number): void {
  const ours = new Set<string>()
  for (const order of draft.book.orders.values()) if (order.odno !== null) ours.add(orderKey(order.day, order.odno))
  const strangers = rows.filter((row) => !ours.has(orderKey(row.day, row.odno)))
  for (const { id } of draft.book.orders.values()) {
    const order = draft.book.orders.get(id)
    // An order given up is looked for all day: should it show up after all, its shares must not be lost.
    if (order === undefined || (order.status !== 'unknown' && order.status !== 'notPlaced')) continue
    settleOne(draft, order, strangers, askedAt)
  }
}

function settleOne(draft: Draft, order: Order, strangers: Execution[], askedAt: number): void {
  const candidates = strangers.filter((row) => couldBe(order, row))
  const [found, second] = candidates
  if (second !== undefined) {
    if (order.status === 'unknown') {
      draft.block(
        order.code,
        'ambiguous',
        `결과를 모르는 주문 ${order.id}과 같은 주문이 증권사에 ${candidates.length}건 있습니다. 직접 확인해 주세요.`,
      )
    }
    return
  }
  if (found !== undefined) {
    if (!draft.may(order, 'find')) return
    draft.record({ kind: 'orderFound', orderId: order.id, odno: found.odno, orgno: found.orgno })
    strangers.splice(strangers.indexOf(found), 1)
    return
  }
  if (order.status === 'unknown') countAbsence(draft, order, askedAt)
}

const couldBe = (order: Order, row: Execution): boolean =>
  row.code === order.code &&
  row.side === order.side &&
  row.count === order.count &&
  row.price === order.price &&
  row.day === order.day &&
  row.orderedAt >= order.createdAt - CLOCK_SKEW_MS

function countAbsence(draft: Draft, order: Order, askedAt: number): void {
  if (askedAt < order.updatedAt + LISTING_LAG_MS) return
  const seen = (draft.view.absences.get(order.id) ?? 0) + 1
  const absences = new Map(draft.view.absences)
  if (seen < ABSENCES) absences.set(order.id, seen)
  else absences.delete(order.id)
  draft.know({ absences })
  if (seen >= ABSENCES) endOrder(draft, order, 'notPlaced', '증권사 기록에 없어 나가지 않은 주문으로 봅니다.')
}
