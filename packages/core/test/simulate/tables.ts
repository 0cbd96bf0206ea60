import { isLive, type Book } from '../../src/index.ts'
import { Violation } from './violation.ts'

/** What the database would refuse. */
export function checkTables(book: Book): void {
  const numbers = new Set<string>()
  const places = new Set<string>()
  for (const order of book.orders.values()) {
    if (order.odno !== null) take(numbers, `${order.day} ${order.odno}`)
    if (!isLive(order.status)) continue
    if (order.side === 'buy') take(places, `buy ${order.code}`)
    else for (const { lotId } of order.lots) take(places, `lot ${lotId}`)
  }
}

function take(taken: Set<string>, place: string): void {
  if (taken.has(place)) throw new Violation('I1 double', `two orders for ${place} in the book`)
  taken.add(place)
}
