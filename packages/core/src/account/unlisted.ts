import type { StepBuilder } from './step-builder.ts'
import type { BrokerSnapshot } from './step-types.ts'
import type { Order } from './types.ts'
import { MIN_ABSENCE_INTERVAL_MS } from './unknown.ts'
import type { View } from './view.ts'

/**
 * An order must be listed this long after its commit, ms: ten seconds to leave, its reply, the listing lag. The wait counts
 * from the commit because each try to cancel the order changes it, too.
 */
export const LISTED_WITHIN_MS = 40_000

/** An order the broker accepted and its list does not show stays live, for it may still trade, and is shown to people. */
export function noteUnlisted(builder: StepBuilder, order: Order, snapshot: BrokerSnapshot): void {
  const { askedAt, from, to } = snapshot
  if (order.day < from || order.day > to || askedAt < order.createdAt + LISTED_WITHIN_MS) return
  const first = builder.view.orders.unlisted.get(order.id)?.first ?? askedAt
  const again = askedAt - first >= MIN_ABSENCE_INTERVAL_MS
  builder.patchView({ orders: { unlisted: new Map(builder.view.orders.unlisted).set(order.id, { first, again }) } })
}

export function forgetUnlisted(builder: StepBuilder, id: number): void {
  if (!builder.view.orders.unlisted.has(id)) return
  builder.patchView({ orders: { unlisted: new Map([...builder.view.orders.unlisted].filter(([one]) => one !== id)) } })
}

/** True once two conclusive readings have missed it. */
export const isUnlisted = ({ orders }: View, id: number): boolean => orders.unlisted.get(id)?.again === true
