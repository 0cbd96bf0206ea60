import { expired } from '../krx/route.ts'
import type { Timetable } from '../krx/session.ts'
import { noteAcceptedBuy } from './buying-power.ts'
import type { StepBuilder } from './step-builder.ts'
import { endOrder, orderKey } from './end-order.ts'
import { hasNoVerdict, isLive, LISTING_LAG_MS } from './order-status.ts'
import { askCancel } from './ordering.ts'
import { wasSeenBefore } from './seen-rows.ts'
import type { BrokerSnapshot } from './step-types.ts'
import type { Execution, Order } from './types.ts'

/** The second reading that misses an order must be asked this much after the first, ms. */
export const MIN_ABSENCE_INTERVAL_MS = 2_000
/** The broker's clock and ours may differ this much, ms; its order times are whole seconds besides. */
export const CLOCK_SKEW_MS = 60_000

/** An order that was refused was at the broker before the refusal came, ms of difference between the clocks allowed. */
const REFUSED_SKEW_MS = 5_000

/** Where a row without a time is sorted: one whose time fits is the better candidate. */
const LAST = Number.MAX_SAFE_INTEGER

/** What a complete reading covers. */
interface Reading extends Pick<BrokerSnapshot, 'askedAt' | 'from' | 'to'> {
  /** Whether an order that it lacks may be missing at the broker, too. Default: yes. */
  readonly provesAbsence?: boolean
}

/**
 * Settles orders without a verdict from the list: found, given up, or a person decides. Never sends anything again. `code`: the
 * stock that the list is of; null: of all.
 */
export function settleUnknown(
  builder: StepBuilder,
  rows: readonly Execution[],
  snapshot: Reading,
  code: string | null = null,
): void {
  const ours = new Set<string>()
  for (const order of builder.book.orders.values()) if (order.odno !== null) ours.add(orderKey(order.day, order.odno))
  const strangers = rows
    .filter((row) => !ours.has(orderKey(row.day, row.odno)))
    .sort((a, b) => (a.orderedAt ?? LAST) - (b.orderedAt ?? LAST))
  // An order given up or refused is looked for all day: should it show up after all, its shares must not be lost.
  for (const status of ['unknown', 'notPlaced', 'rejected'] as const) {
    for (const { id } of pricedFirst(builder.book.orders.values())) {
      const order = builder.book.orders.get(id)
      if (order === undefined || (code !== null && order.code !== code)) continue
      if (order.status === status && order.odno === null) settleOne(builder, order, strangers, snapshot)
    }
  }
}

/** One without a price may be any row of its kind, so it chooses last. */
const pricedFirst = (orders: Iterable<Order>): Order[] =>
  [...orders].sort((a, b) => Number(hasNoPrice(a)) - Number(hasNoPrice(b)))

function settleOne(builder: StepBuilder, order: Order, strangers: Execution[], snapshot: Reading): void {
  if (order.status === 'unknown' && !mayBeListed(order, snapshot)) return
  const twins = [...builder.book.orders.values()].filter((one) => isTwinOf(order, one))
  // The row of an equal order whose reply is still on its way would be taken for this one.
  if (twins.some((twin) => twin.status === 'intended')) return
  if (order.status !== 'unknown' && twins.some((twin) => twin.status === 'unknown')) return
  // One with a price fits fewer rows, so it chooses first.
  if (hasNoPrice(order) && twins.some((twin) => twin.status === 'unknown' && !hasNoPrice(twin))) return
  const { view, ctx } = builder
  const known = { clockUncertain: view.orders.clockUncertain.has(order.id), timetable: ctx.timetable }
  const candidates = strangers.filter((row) => mayBeOurs(order, row, known) && !wasSeenBefore(view, order, row))
  const [found] = candidates
  if (found === undefined) {
    if (order.status !== 'unknown' || snapshot.provesAbsence === false) return
    if (!isAbsent(builder, order, snapshot)) return
    return endOrder(builder, order, 'notPlaced', '증권사 기록에 없어 나가지 않은 주문으로 봅니다.')
  }
  if (order.status !== 'unknown') {
    readoptOrder(builder, order, found)
    // Whether it is taken now or once a newer order is gone: no other may have it.
    return take(strangers, found)
  }
  const alike = twins.filter((twin) => twin.status === 'unknown').length + 1
  if (candidates.length > alike && !builder.view.orders.operatorConfirmed.has(order.id)) {
    const text = `결과를 모르는 주문 ${order.id}과 같은 주문이 증권사에 ${candidates.length}건 있습니다. 확인한 뒤 관리자 메뉴의 ‘주문 적용’을 눌러 주세요.`
    return builder.block(order.code, 'ambiguous', text)
  }
  adoptListedOrder(builder, order, found)
  take(strangers, found)
}

function take(strangers: Execution[], row: Execution): void {
  strangers.splice(strangers.indexOf(row), 1)
}

function adoptListedOrder(builder: StepBuilder, order: Order, row: Execution): void {
  if (!builder.assertMove(order, 'find')) return
  builder.record({ kind: 'orderFound', orderId: order.id, odno: row.odno, orgno: row.orgno })
  noteAcceptedBuy(builder, order)
}

/** An order given up that is there after all stops its stock, and is ours again once no newer order stands in its place. */
function readoptOrder(builder: StepBuilder, order: Order, row: Execution): void {
  const seen = order.status === 'rejected' ? '거절된' : '나가지 않은'
  const rivals = [...builder.book.orders.values()].filter((one) => isLive(one.status) && isRivalOf(order, one))
  // Nothing that a person does brings a verdict, so nothing is asked of them before.
  const undecided = rivals.find(({ status }) => hasNoVerdict(status))
  const then =
    undecided === undefined
      ? '확인한 뒤 관리자 메뉴의 ‘주문 적용’을 눌러 주세요.'
      : `아직 결과를 모르는 주문 ${undecided.id}이 정해진 뒤에 장부에 넣습니다. 그때까지 기다려 주세요.`
  const text = `${seen} 것으로 본 주문 ${order.id}이 증권사에 나타나 멈췄습니다. ${then}`
  builder.block(order.code, 'ambiguous', text)
  for (const rival of rivals) askCancel(builder, rival.id)
  if (rivals.length === 0) adoptListedOrder(builder, order, row)
}

const isRivalOf = (order: Order, other: Order): boolean =>
  other.code === order.code &&
  ((order.side === 'buy' && other.side === 'buy') ||
    other.lots.some(({ lotId }) => order.lots.some((lot) => lot.lotId === lotId)))

const isTwinOf = (order: Order, other: Order): boolean =>
  other.id !== order.id &&
  other.code === order.code &&
  other.side === order.side &&
  other.count === order.count &&
  (hasNoPrice(other) || hasNoPrice(order) || other.price === order.price)

/** The broker's list may show such an order without a price, or at the one it got: its row can be any of its kind. */
const hasNoPrice = ({ type }: Order): boolean => type !== 'limit'

/** What tells one order at the broker from another. */
type Seen = Pick<Execution, 'day' | 'code' | 'side' | 'count' | 'price' | 'orderedAt'>

interface Known {
  readonly clockUncertain: boolean
  readonly timetable: Timetable
}

/**
 * A row without a time may be any order of its day: excluding it would call an order absent that is there, and make it a
 * second time.
 */
export const mayBeOurs = (order: Order, row: Seen, { clockUncertain, timetable }: Known): boolean =>
  row.day === order.day &&
  isLike(order, row, clockUncertain) &&
  (row.orderedAt === null ||
    (row.orderedAt <= latestArrival(order) && !isOfLaterSession(order, row.orderedAt, timetable)))

/** What the broker takes once the order's own session is over is another order: it would refuse ours. */
const isOfLaterSession = ({ venue, session, day }: Order, orderedAt: number, timetable: Timetable): boolean =>
  expired(venue, session, day, orderedAt, timetable)

/**
 * The row shows the same as the order, and not from before that was made. `clockUncertain`: the clock was wrong then, so that
 * no time is too early. Nor is a row without one.
 */
export function isLike(order: Order, row: Seen, clockUncertain: boolean): boolean {
  return (
    row.code === order.code &&
    row.side === order.side &&
    row.count === order.count &&
    (hasNoPrice(order) || row.price === order.price) &&
    (row.orderedAt === null || clockUncertain || row.orderedAt >= order.createdAt - CLOCK_SKEW_MS)
  )
}

/**
 * The broker's time of an order is when it arrived, and bytes in a dead connection may arrive long after it was given up.
 * An order that certainly never left, or was refused, is not one made later.
 */
function latestArrival({ status, absentFrom, updatedAt }: Order): number {
  if (status === 'unknown') return (absentFrom ?? updatedAt) + CLOCK_SKEW_MS
  if (status === 'rejected') return updatedAt + REFUSED_SKEW_MS
  return absentFrom === null ? updatedAt : Number.POSITIVE_INFINITY
}

/**
 * Past the listing lag what is there is believed, however late the order itself might still come: only its absence has to
 * wait for that.
 */
const mayBeListed = (order: Order, { askedAt, from, to }: Reading): boolean =>
  order.day >= from && order.day <= to && askedAt >= order.updatedAt + LISTING_LAG_MS

/** The reading covers the order's day and was asked when the order must have been listed if it exists. */
const isConclusive = (order: Order, { askedAt, from, to }: Reading): boolean =>
  order.day >= from && order.day <= to && askedAt >= conclusiveFrom(order)

/** From then on a reading that lacks the order counts. */
export const conclusiveFrom = ({ status, absentFrom, updatedAt }: Order): number =>
  status === 'unknown' && absentFrom !== null ? absentFrom : updatedAt + LISTING_LAG_MS

/** True at the second conclusive reading that does not show the order. */
export function isAbsent(builder: StepBuilder, order: Order, snapshot: Reading): boolean {
  if (!isConclusive(order, snapshot)) return false
  const { askedAt } = snapshot
  const first = builder.view.orders.missingSince.get(order.id)
  const missingSince = new Map(builder.view.orders.missingSince)
  const again = first !== undefined && first >= order.updatedAt && askedAt - first >= MIN_ABSENCE_INTERVAL_MS
  if (again) missingSince.delete(order.id)
  else if (first === undefined || first < order.updatedAt) missingSince.set(order.id, askedAt)
  builder.patchView({ orders: { missingSince } })
  return again
}
