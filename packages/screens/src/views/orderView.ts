import type { ExecutedOrder, Order as OrderView } from '@digger/contract'
import { type Order, type Stranger, kstIso, perShareUp } from '@digger/core'
import type { OrderedRow } from '@digger/database'

/** Before the broker gave a number (or when its reply was lost) an order has only ours. */
const OURS = 'local-'

export const orderIdOf = (order: Pick<Order, 'id' | 'odno'>): string => order.odno ?? `${OURS}${order.id}`
/** Our number in an order id; null where the id is the broker's. */
export const ourNumber = (orderId: string): number | null =>
  orderId.startsWith(OURS) ? Number(orderId.slice(OURS.length)) : null

export const orderView = (order: Order, name: string): OrderView => ({
  orderId: orderIdOf(order),
  code: order.code,
  name,
  orderType: order.side === 'buy' ? 'BUY' : 'SELL',
  qty: order.count,
  filledQty: order.filledCount,
  price: order.price,
  orderDateTime: kstIso(order.createdAt),
  exchangeCode: order.venue,
  auto: order.origin === 'auto',
  foreign: false,
})

/** An order at the broker that is not ours. `name`: null where Digger does not know the stock. */
export const strangerView = (order: Stranger, name: string | null): OrderView => ({
  orderId: order.odno,
  code: order.code,
  name: name ?? (order.name || order.code),
  orderType: order.side === 'buy' ? 'BUY' : 'SELL',
  qty: order.count,
  filledQty: order.filledCount,
  price: order.price,
  orderDateTime: order.orderedAt === null ? null : kstIso(order.orderedAt),
  exchangeCode: order.venue,
  auto: false,
  foreign: true,
})

/** The price is the average fill rounded up to a won: the amount is exact, the price is for reading. */
export const orderedView = (row: OrderedRow): ExecutedOrder => ({
  code: row.code,
  name: row.name,
  orderType: row.side === 'buy' ? 'BUY' : 'SELL',
  orderDateTime: kstIso(row.ordered_at),
  qty: row.count,
  price: perShareUp(row.amount, row.count),
  exchangeCode: row.venue,
})
