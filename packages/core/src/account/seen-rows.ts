import { orderKey } from './end-order.ts'
import type { StepBuilder } from './step-builder.ts'
import type { Execution, Order } from './types.ts'
import type { View } from './view.ts'

/** What the list showed before an order was made is not that order, whatever the clocks say: another program's may be just like it. */
export function noteSeen(builder: StepBuilder, rows: readonly Execution[], ours: ReadonlySet<string>): void {
  const { book, view } = builder
  const before = view.orders.seenBefore
  const keys = rows.filter(({ day }) => day === book.day).map(({ day, odno }) => orderKey(day, odno))
  const seen = new Map(
    keys.filter((key) => !ours.has(key)).map((key) => [key, before.get(key) ?? book.nextOrderId] as const),
  )
  const isSame = seen.size === before.size && [...seen.keys()].every((key) => before.has(key))
  if (!isSame) builder.patchView({ orders: { seenBefore: seen } })
}

/** The row was in the list before the order was made. A row that only now is read may be any of them. */
export const wasSeenBefore = ({ orders }: View, { id }: Order, { day, odno }: Execution): boolean =>
  id >= (orders.seenBefore.get(orderKey(day, odno)) ?? Number.POSITIVE_INFINITY)
