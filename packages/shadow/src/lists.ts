import { remainCount, type Book, type BrokerSnapshot, type Execution, type Holding, type Order } from '@digger/core'
import { NO_FILLS, type Fills } from './fills.ts'

/** Numbers of orders that no broker gave. */
export const shadowOdno = (orderId: number): string => `S${orderId}`
export const SHADOW_ORGNO = 'shadow'

/**
 * The lists as a broker would show them who has taken every order of this book, with these fills beside those that it has booked. They
 * are made of the book alone: after a crash there is nothing else to know.
 */
export function listsOf(book: Book, now: number, fills: Fills = NO_FILLS, compare = false): BrokerSnapshot {
  const orders = [...book.orders.values()].filter((order) => order.odno !== null)
  const from = orders.reduce((first, { day }) => (day < first ? day : first), book.day)
  const balance = compare ? { holdings: holdingsOf(book), depositAmount: 0 } : null
  return { askedAt: now, from, to: book.day, executions: orders.map((order) => rowOf(order, fills)), balance }
}

function rowOf(order: Order, fills: Fills): Execution {
  const { day, odno, orgno, code, side, venue, count, price, createdAt, status } = order
  const filledAt = fills.get(order.id)
  const filledCount = filledAt === undefined ? order.filledCount : count
  const isOver = status !== 'open' || filledCount === count
  return {
    day,
    odno: odno ?? '',
    orgno: orgno ?? '',
    originalOdno: null,
    code,
    name: code,
    side,
    venue,
    count,
    price,
    orderedAt: createdAt,
    filledCount,
    filledAmount: order.filledAmount + (filledCount - order.filledCount) * (filledAt ?? 0),
    remainingCount: isOver ? 0 : count - filledCount,
    rejectedCount: 0,
    cancelled: status === 'cancelling' || status === 'cancelled',
  }
}

const holdingsOf = ({ stocks }: Book): Holding[] =>
  [...stocks.values()].map(({ issue, name, lots }) => {
    const count = remainCount(lots)
    const buyAmount = lots.reduce((sum, lot) => sum + lot.buyAmount, 0)
    const averagePrice = count === 0 ? 0 : Math.round(buyAmount / count)
    return { code: issue.code, name, count, sellableCount: count, averagePrice, buyAmount }
  })
