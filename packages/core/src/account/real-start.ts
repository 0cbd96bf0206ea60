import { step } from './step.ts'
import type { Account, AccountEvent, Context } from './step-types.ts'
import type { Order } from './types.ts'

/** More than any account has, won: whether the cash is enough is asked when it comes to it. */
const ENOUGH = 1_000_000_000_000

/** What leaving the shadow would send at once, by the last prices and where the cash is enough. Nothing is changed. */
export function ordersOfRealStart(account: Account, ctx: Context, code: string): readonly Order[] {
  const { now: askedAt } = ctx
  const events: readonly AccountEvent[] = [
    { kind: 'command', ticket: 0, command: { kind: 'setShadow', code, shadow: false } },
    { kind: 'timer' },
    { kind: 'cash', amount: ENOUGH, askedAt },
  ]
  const orders: Order[] = []
  let next = account
  for (const event of events) {
    const { facts, account: after } = step(next, event, ctx)
    next = after
    for (const fact of facts) if (fact.kind === 'orderIntended' && fact.order.code === code) orders.push(fact.order)
  }
  return orders
}
