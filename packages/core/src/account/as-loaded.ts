import { isLive } from './order-status.ts'
import type { Book, Order } from './types.ts'

/** Ended orders stay as long as a live one of their day: in that day's list their rows must not pass for strangers. */
export function onlyOf(day: string, orders: ReadonlyMap<number, Order>): ReadonlyMap<number, Order> {
  let from = day
  for (const order of orders.values()) if (isLive(order.status) && order.day < from) from = order.day
  return new Map([...orders].filter(([, order]) => order.day >= from))
}

/**
 * The book as it is read from the tables: stocks by code, and of past days only orders that a restart would read. A
 * decision may depend on the order of stocks, so whoever runs one again needs to know when the book was last read.
 */
export function asLoaded(book: Book): Book {
  const stocks = new Map([...book.stocks].sort(([a], [b]) => (a < b ? -1 : 1)))
  const orders = [...onlyOf(book.day, book.orders)].map(([id, order]) => [id, stored(order)] as const)
  return { ...book, stocks, orders: new Map(orders.sort(([a], [b]) => a - b)) }
}

function stored(order: Order): Order {
  const { refusedFor, ...rest } = order
  return refusedFor === undefined ? order : rest
}
