import type { IntendedOrder, JournalAccount } from './journal-account.ts'
import type { OddRow } from './order-list.ts'

/**
 * Whether a row of which something cannot be read may be an order of Digger's, or a second delivery of one: it has the number
 * of one, or all of it that can be read is like one of the same day. Else it is somebody's own, and the list is whole without it.
 */
export const mayBeOurs = (row: OddRow, { orders }: JournalAccount, day: string): boolean =>
  [...orders.values()].some(
    (order) => order.day === day && ((row.odno !== null && order.odno === row.odno) || isLike(row, order)),
  )

const isLike = (row: OddRow, order: IntendedOrder): boolean =>
  (row.code === null || row.code === order.code) &&
  (row.side === 'blank' || row.side === order.side) &&
  (row.count === 'blank' || row.count === order.count) &&
  // One that was sent without a price is listed at 0 or at the price it got.
  (order.type !== 'limit' || row.price === 'blank' || row.price === order.price)

export const describeOdd = ({ odno, code, field }: OddRow): string =>
  `order ${odno ?? 'without a number'} of ${code ?? 'an unknown issue'} has an odd ${field}`
