import { dayEnds } from '../krx/session.ts'
import { LISTING_LAG_MS } from './order-status.ts'
import type { Context } from './step-types.ts'
import type { Execution, Order } from './types.ts'
import type { OrdersView } from './view.ts'

export interface RowEnd {
  readonly end: 'filled' | 'rejected' | 'cancelled' | 'expired'
  readonly note: string | null
  /** Somebody cancelled it who is not Digger: in the broker's own app, or the exchange. */
  readonly byOther: boolean
}

/**
 * The exchange turns an order down within a second, and the list shows it within the listing lag; what ends later was not
 * turned down, ms from the order.
 */
const REJECTED_WITHIN_MS = 60_000

/**
 * The broker's clock may be three seconds ahead of ours, and the last page of a list is made after all others: a row of the
 * last moments of a session may be of those after it, ms.
 */
const AHEAD_MS = 5_000

/** What is known beside the row. */
interface Evidence {
  readonly askedAt: number
  /** When its list was there. */
  readonly readAt: number
  /** The list has a cancellation of the order as a row of its own. */
  readonly hasCancelRow: boolean
  readonly view: Pick<OrdersView, 'refusedByNotice' | 'nothingLeft'>
  readonly timetable: Context['timetable']
}

/**
 * How an order ended, as far as its row tells; null: it has not. In the evening the broker's list shows day orders that
 * expired with `rjct_qty` = ordered (seen on a real account, 15 orders of two days, June 2026), as cancelled, or with their
 * remainder for some time: so the hour decides what such a row means, and a rejection needs a sign of its own.
 */
export function endOfRow(order: Order, row: Execution, evidence: Evidence): RowEnd | null {
  if (row.filledCount >= order.count) return { end: 'filled', note: null, byOther: false }
  if (!isOver(order, row, evidence)) return null
  if (order.cancelAsked) return { end: 'cancelled', note: null, byOther: false }
  if (evidence.hasCancelRow) return CANCELLED_ELSEWHERE
  if (mayHaveExpired(order, evidence)) return { end: 'expired', note: '장이 끝나 소멸했습니다.', byOther: false }
  if (isRejected(order, row, evidence))
    return { end: 'rejected', note: '증권사 또는 거래소가 거절했습니다.', byOther: false }
  return order.venue === 'KRX' ? CANCELLED_ELSEWHERE : PERHAPS_WITHDRAWN
}

const CANCELLED_ELSEWHERE: RowEnd = {
  end: 'cancelled',
  note: 'Digger 밖에서 취소된 주문입니다. 오늘은 다시 내지 않습니다.',
  byOther: true,
}

/**
 * NXT withdraws what rests there when it suspends a stock, and nothing tells that from a person's cancel whose row is not
 * listed yet. A person's word goes first, so this waits for the next day or for one who looks.
 */
const PERHAPS_WITHDRAWN: RowEnd = {
  end: 'cancelled',
  note: 'Digger 밖에서 취소되었거나 넥스트레이드가 거둔 주문입니다. 오늘은 다시 내지 않습니다.',
  byOther: true,
}

/** A cancelled order was seen still listed with a remainder. */
const isOver = (order: Order, row: Execution, { askedAt, view }: Evidence): boolean =>
  row.cancelled ||
  row.remainingCount <= 0 ||
  (row.rejectedCount > 0 && row.filledCount === 0) ||
  askedAt >= (view.nothingLeft.get(order.id) ?? Number.POSITIVE_INFINITY) + LISTING_LAG_MS

/**
 * From here on the order may have ended by timetable: a SOR order ends with the venue it went to, which no row shows. An
 * order made later than that has not.
 */
function mayHaveExpired({ day, venue, session, createdAt }: Order, { readAt, timetable }: Evidence): boolean {
  const ends = dayEnds(day, timetable)
  const end =
    session === 'pre' ? (ends.preMarket ?? ends.all) : venue === 'NXT' || session === 'after' ? ends.all : ends.regular
  const latest = readAt + AHEAD_MS
  return latest >= ends.all || (latest >= end && createdAt < end)
}

const isRejected = (order: Order, row: Execution, { askedAt, view }: Evidence): boolean =>
  row.rejectedCount > 0 &&
  row.filledCount === 0 &&
  (askedAt < order.createdAt + REJECTED_WITHIN_MS || view.refusedByNotice.has(order.odno ?? ''))
