import type { Fact } from '@digger/kis-sim'
import type { OrderLotRow, OrderRow } from '@digger/database'

interface Live {
  readonly code: string
  readonly side: 'buy' | 'sell'
  readonly lots: readonly number[]
  remaining: number
}

/**
 * Replays what really happened at the broker and names every moment at which two of our orders stood there for the same
 * thing: two buys of one stock, or two sales of one lot.
 */
export function duplicateOrders(
  events: readonly Fact[],
  orders: readonly OrderRow[],
  orderLots: readonly OrderLotRow[],
): string[] {
  const lotsOf = Map.groupBy(orderLots, (row) => row.order_id)
  const rows = new Map(orders.map((row) => [`${row.day}/${row.odno}`, row]))
  const live = new Map<string, Live>()
  const found: string[] = []
  for (const event of events) {
    if (event.kind === 'accepted' && event.order.change === null) {
      const { day, odno, code, side, count } = event.order
      const key = `${day}/${odno}`
      const row = rows.get(key)
      const lots = (row === undefined ? [] : (lotsOf.get(row.id) ?? [])).map((lot) => lot.lot_id)
      const one: Live = { code, side, lots, remaining: count }
      for (const [other, standing] of live) {
        if (clash(one, standing)) found.push(`${key} and ${other} stood at the broker together (${side} ${code})`)
      }
      live.set(key, one)
    }
    if (event.kind !== 'filled' && event.kind !== 'reduced') continue
    const key = `${event.day}/${event.odno}`
    const order = live.get(key)
    if (order === undefined) continue
    order.remaining -= event.count
    if (order.remaining <= 0) live.delete(key)
  }
  return found
}

function clash(a: Live, b: Live): boolean {
  if (a.code !== b.code || a.side !== b.side) return false
  return a.side === 'buy' || a.lots.some((lot) => b.lots.includes(lot))
}
