import type { Order } from '../../src/index.ts'

type Resting = Pick<Order, 'type' | 'side' | 'price'>

/** Whether the market's price meets the order's. */
export function crosses(order: Resting, price: number): boolean {
  if (order.type !== 'limit') return true
  return order.side === 'buy' ? price <= order.price : price >= order.price
}

/** Never worse than the order's own price; an order without one takes what the market gives. */
export function fillPrice(order: Resting, stock: { readonly price: number }): number {
  if (order.type !== 'limit') return stock.price
  return order.side === 'buy' ? Math.min(order.price, stock.price) : Math.max(order.price, stock.price)
}
