import type { Draft } from './draft.ts'
import { endOrder, orderKey } from './ending.ts'
import { isLive } from './life.ts'
import { askCancel } from './ordering.ts'
import type { Reading } from './step-types.ts'
import type { Execution, Order } from './types.ts'

/**
 * An accepted order can be missing from the list for seconds (measured 1.1–5.3 s), and a request may arrive after we
 * gave up waiting. Four times the lag must have passed since the loss before a complete reading counts, ms: neither
 * "not there" nor "this one" can be said while an equal order of somebody else may be listed before ours.
 */
export const LISTING_LAG_MS = 20_000
/** The second reading that misses an order must be asked this much after the first, ms. */
const ABSENT_APART_MS = 2_000
/** The broker's clock and ours may differ this much, ms; its order times are whole seconds besides. */
const CLOCK_SKEW_MS = 60_000

/** Settles orders without a verdict from the list: found, given up, or a person decides. Never sends anything again. */
export function settleUnknown(draft: Draft, rows: readonly Execution[], reading: Reading): void {
  const ours = new Set<string>()
  for (const order of draft.book.orders.values()) if (order.odno !== null) ours.add(orderKey(order.day, order.odno))
  const strangers = rows
    .filter((row) => !ours.has(orderKey(row.day, row.odno)))
    .sort((a, b) => a.orderedAt - b.orderedAt)
  // An order given up is looked for all day: should it show up after all, its shares must not be lost.
  for (const status of ['unknown', 'notPlaced'] as const) {
    for (const { id } of draft.book.orders.values()) {
      const order = draft.book.orders.get(id)
      if (order?.status === status) settleOne(draft, order, strangers, reading)
    }
  }
}

function settleOne(draft: Draft, order: Order, strangers: Execution[], reading: Reading): void {
  if (order.status === 'unknown' && !isTelling(order, reading)) return
  const twins = [...draft.book.orders.values()].filter((one) => isTwin(order, one))
  // The row of an equal order whose reply is still on its way would be taken for this one.
  if (twins.some((twin) => twin.status === 'intended')) return
  const candidates = strangers.filter((row) => couldBe(order, row, draft.view.timeless.has(order.id)))
  const [found] = candidates
  if (found === undefined) {
    if (order.status !== 'unknown' || !isAbsent(draft, order, reading)) return
    return endOrder(draft, order, 'notPlaced', '증권사 기록에 없어 나가지 않은 주문으로 봅니다.')
  }
  if (order.status === 'notPlaced') return takeBack(draft, order, found)
  const alike = twins.filter((twin) => twin.status === 'unknown').length + 1
  if (candidates.length > alike && !draft.view.decided.has(order.id)) {
    const text = `결과를 모르는 주문 ${order.id}과 같은 주문이 증권사에 ${candidates.length}건 있습니다. 확인한 뒤 관리자 메뉴의 ‘주문 적용’을 눌러 주세요.`
    return draft.block(order.code, 'ambiguous', text)
  }
  take(draft, order, found)
  strangers.splice(strangers.indexOf(found), 1)
}

function take(draft: Draft, order: Order, row: Execution): void {
  if (!draft.may(order, 'find')) return
  draft.record({ kind: 'orderFound', orderId: order.id, odno: row.odno, orgno: row.orgno })
  if (order.side === 'buy') draft.know({ cashMovedAt: draft.ctx.now })
}

/** An order given up that is there after all: the stock stops, and it is taken back once no newer order stands in its place. */
function takeBack(draft: Draft, order: Order, row: Execution): void {
  draft.block(
    order.code,
    'ambiguous',
    `나가지 않은 것으로 본 주문 ${order.id}이 증권사에 나타나 멈췄습니다. 확인한 뒤 관리자 메뉴의 ‘주문 적용’을 눌러 주세요.`,
  )
  const rivals = [...draft.book.orders.values()].filter((one) => isLive(one.status) && isRival(order, one))
  for (const rival of rivals) askCancel(draft, rival.id)
  if (rivals.length === 0) take(draft, order, row)
}

const isRival = (order: Order, other: Order): boolean =>
  other.code === order.code &&
  ((order.side === 'buy' && other.side === 'buy') ||
    other.lots.some(({ lotId }) => order.lots.some((lot) => lot.lotId === lotId)))

const isTwin = (order: Order, other: Order): boolean =>
  other.id !== order.id &&
  other.code === order.code &&
  other.side === order.side &&
  other.count === order.count &&
  other.price === order.price

/** `timeless`: made by a clock that was wrong, so the time it was made at excludes nothing. */
function couldBe(order: Order, row: Execution, timeless: boolean): boolean {
  // `updatedAt`: when its reply was lost, or when it was given up; orders made after that are not it.
  const until = order.updatedAt + (order.status === 'unknown' ? CLOCK_SKEW_MS : 0)
  return (
    row.code === order.code &&
    row.side === order.side &&
    row.count === order.count &&
    row.price === order.price &&
    row.day === order.day &&
    (timeless || row.orderedAt >= order.createdAt - CLOCK_SKEW_MS) &&
    row.orderedAt <= until
  )
}

/** The reading covers the order's day and was asked when the order must have been listed if it exists. */
const isTelling = (order: Order, { askedAt, from, to }: Reading): boolean =>
  order.day >= from && order.day <= to && askedAt >= order.updatedAt + LISTING_LAG_MS

/** True at the second telling reading that does not show the order. */
export function isAbsent(draft: Draft, order: Order, reading: Reading): boolean {
  if (!isTelling(order, reading)) return false
  const { askedAt } = reading
  const first = draft.view.absences.get(order.id)
  const absences = new Map(draft.view.absences)
  const again = first !== undefined && first >= order.updatedAt && askedAt - first >= ABSENT_APART_MS
  if (again) absences.delete(order.id)
  else if (first === undefined || first < order.updatedAt) absences.set(order.id, askedAt)
  draft.know({ absences })
  return again
}
