import { step } from './step.ts'
import type { Account, AccountEvent, Context, Quote } from './step-types.ts'
import type { Order } from './types.ts'

/** More than any account has, won: whether the cash is enough is asked when it comes to it. */
const ENOUGH = 1_000_000_000_000

/**
 * What leaving the shadow would send by the last prices and where the cash is enough. A price that has grown old counts as if it had just
 * been traded: the next trade may come in a moment. Nothing is changed.
 */
export function ordersOfRealStart(account: Account, ctx: Context, code: string): readonly Order[] {
  const { now: askedAt } = ctx
  const quote = (of: string): Quote | undefined => {
    const last = ctx.quote(of)
    return last && { ...last, at: askedAt, live: true }
  }
  const events: readonly AccountEvent[] = [
    { kind: 'command', ticket: 0, command: { kind: 'setShadow', code, shadow: false } },
    { kind: 'timer' },
    { kind: 'cash', amount: ENOUGH, askedAt },
  ]
  const orders: Order[] = []
  let next = account
  for (const event of events) {
    const { facts, account: after } = step(next, event, { ...ctx, quote })
    next = after
    for (const fact of facts) if (fact.kind === 'orderIntended' && fact.order.code === code) orders.push(fact.order)
  }
  return orders
}
