import { ORD_DVSN } from '@digger/kis'
import type { Side } from '@digger/core'
import { admit } from '../exchange/admission.ts'
import { REFUSALS, type Refusal } from '../exchange/refusals.ts'
import type { Account, SimOrder } from '../ledger/account.ts'
import type { Broker } from './broker.ts'

/** What the owner of an account does in the broker's own app. */
export type PhoneAct =
  /** `price` 0: at the market. */
  | {
      readonly kind: 'order'
      readonly code: string
      readonly side: Side
      readonly count: number
      readonly price: number
    }
  /** An order of today, whoever gave it. */
  | { readonly kind: 'cancel'; readonly odno: string }

/** Judged like an order of a program, under the same queue of numbers; its notices go to everyone who listens. */
export function byPhone(broker: Broker, account: Account, act: PhoneAct): SimOrder | Refusal {
  const order = act.kind === 'cancel' ? cancellation(broker, account, act.odno) : newOrder(broker, account, act)
  if ('real' in order) return order
  const accepted = broker.ledger.accept(broker.clock.now(), { ...order, byPhone: true })
  broker.exchange.send(accepted)
  return accepted
}

function newOrder({ exchange }: Broker, account: Account, act: Extract<PhoneAct, { kind: 'order' }>) {
  const { kind: _, ...order } = act
  const division = act.price === 0 ? ORD_DVSN.market : ORD_DVSN.limit
  const admission = admit(exchange, account, { ...order, division, trigger: 0, venue: 'KRX' })
  return 'refusal' in admission ? admission.refusal : admission.order
}

function cancellation({ ledger }: Broker, account: Account, odno: string) {
  const original = account.order(ledger.day, odno.padStart(10, '0'))
  if (!original || original.change === 'cancel') return REFUSALS.unknownOrder
  if (original.remaining === 0) return REFUSALS.nothingLeft
  const { account: number, code, side, division, trigger, venue, routed, remaining: count } = original
  const same = { account: number, code, side, division, trigger, venue, routed, count }
  return { ...same, price: 0, original: original.odno, change: 'cancel', reservedPrice: 0 } as const
}
