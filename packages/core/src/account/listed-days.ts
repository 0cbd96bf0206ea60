import { isTradingDay, type Timetable } from '../krx/session.ts'
import type { Book } from './types.ts'

/** Of which days the broker must have a list, where it refuses to list them together. */
export type ListedDays = (day: string) => boolean

/**
 * For the account: today, and the days of its own orders. Nothing it decides hangs on another day, so that a holiday nobody
 * knew of, between an order of before and today, keeps it from nothing.
 */
export const accountDays =
  (book: Book, today: string, timetable: Timetable): ListedDays =>
  (day) =>
    hasOrders(book, day) || (day === today && isTradingDay(day, timetable))

/** For people, who look back over all days. On a day of an own order the exchange was open, whatever the calendar says. */
export const peoplesDays =
  (book: Book, timetable: Timetable): ListedDays =>
  (day) =>
    hasOrders(book, day) || isTradingDay(day, timetable)

function hasOrders(book: Book, day: string): boolean {
  for (const order of book.orders.values()) if (order.day === day) return true
  return false
}
