import { shareOf } from './cost-share.ts'
import type { Book, Order } from './types.ts'

/**
 * What orders of ours sold beyond the lots they were made for: shares, and won. Two were made for one lot, because the first was
 * given up before it came after all. The broker has sold other shares for the second, and correcting the balance takes them
 * out of other lots, at what they brought.
 */
export function oversold({ orders }: Pick<Book, 'orders'>, code: string): { count: number; amount: number } {
  const sales = [...orders.values()]
    .filter((order) => order.code === code && order.side === 'sell' && order.filledCount > 0)
    .sort((a, b) => a.updatedAt - b.updatedAt || a.id - b.id)
  const left = new Map<number, number>()
  for (const { lots } of sales)
    for (const { lotId, count } of lots) left.set(lotId, Math.max(left.get(lotId) ?? 0, count))
  let [count, amount] = [0, 0]
  for (const sale of sales) {
    const beyond = sale.filledCount - take(left, sale)
    count += beyond
    amount += shareOf(sale.filledAmount, beyond, sale.filledCount)
  }
  return { count, amount }
}

/** How many shares of its own lots an order sold. */
function take(left: Map<number, number>, { lots, filledCount }: Order): number {
  let sold = 0
  for (const { lotId, count } of lots) {
    const shares = Math.min(count, filledCount - sold, left.get(lotId) ?? 0)
    left.set(lotId, (left.get(lotId) ?? 0) - shares)
    sold += shares
  }
  return sold
}
