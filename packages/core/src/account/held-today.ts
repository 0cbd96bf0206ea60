import { remainAmount, remainCount } from '../ladder/buy.ts'
import type { HeldToday } from '../ladder/today.ts'
import type { Book, HeldLot, Order } from './types.ts'

/**
 * What is held of a stock on the book's day. Bought today is what an order of today bought: what a correction or a corporate action
 * brings was there before, whenever it is written down.
 */
export function heldToday({ stocks, orders, day }: Book, code: string): HeldToday {
  const lots = stocks.get(code)?.lots ?? []
  const buys = [...orders.values()].filter(
    (order) => order.code === code && order.side === 'buy' && order.day === day && order.filledCount > 0,
  )
  const bought = lots.filter((lot) => !lot.takenOver && buys.some((order) => isOf(order, lot)))
  const count = remainCount(lots)
  return { count, before: count - remainCount(bought), boughtAmount: remainAmount(bought) }
}

/** By the time: a lot that was split off has another number than the order says. */
const isOf = ({ createdAt, updatedAt }: Order, { boughtAt }: HeldLot): boolean =>
  createdAt <= boughtAt && boughtAt <= updatedAt
