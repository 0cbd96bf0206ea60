import { isLive } from './order-status.ts'
import type { StepBuilder } from './step-builder.ts'
import type { Order } from './types.ts'

/**
 * An automatic order that somebody took back is not made again today: its lots wait, or its stock's buys do, until 주문 적용,
 * new settings or the next day. Orders of people are made by nobody but them.
 */
export function holdBack(builder: StepBuilder, { code, side, origin, lots }: Order): void {
  if (origin === 'person') return
  if (side === 'buy') return holdBuysBack(builder, code)
  builder.record({ kind: 'lotsHeldBack', code, lotIds: lots.map((lot) => lot.lotId), heldBack: true })
}

function holdBuysBack(builder: StepBuilder, code: string): void {
  builder.patchView({ stocks: { heldBuys: new Set(builder.view.stocks.heldBuys).add(code) } })
}

/**
 * After a restart: the book says which buys of today a person took back, here or elsewhere. One that was made since says that its
 * person has let the stock go.
 */
export function holdBackAgain(builder: StepBuilder): void {
  const { orders, day } = builder.book
  const newest = new Map<string, Order>()
  for (const order of orders.values())
    if (order.day === day && order.side === 'buy' && order.origin === 'auto') newest.set(order.code, order)
  for (const { code, status, cancelAsked, cancelWanted } of newest.values()) {
    const isTakenBack = status === 'cancelled' ? cancelWanted || !cancelAsked : cancelWanted && isLive(status)
    if (isTakenBack) holdBuysBack(builder, code)
  }
}
