import { step } from './step.ts'
import type { Account, Context } from './step-types.ts'
import type { Order } from './types.ts'

/** What leaving the shadow would send at once, by the last prices. Nothing is changed. */
export function ordersOfRealStart(account: Account, ctx: Context, code: string): readonly Order[] {
  const asked = step(account, { kind: 'command', ticket: 0, command: { kind: 'setShadow', code, shadow: false } }, ctx)
  const { facts } = asked
  const later = step(asked.account, { kind: 'timer' }, ctx).facts
  return [...facts, ...later].flatMap((fact) =>
    fact.kind === 'orderIntended' && fact.order.code === code ? fact.order : [],
  )
}
