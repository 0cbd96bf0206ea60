import {
  step,
  type Account,
  type AccountEvent,
  type CommandResult,
  type Context,
  type Effect,
  type Fact,
} from '@digger/core'
import { fillsBy, NO_FILLS, priceAtArrival, type Market } from './fills.ts'
import { listsOf, SHADOW_ORGNO, shadowOdno } from './lists.ts'
import { outlayAfter, type ShadowState } from './state.ts'

export interface Rehearsed {
  readonly state: ShadowState
  readonly facts: readonly Fact[]
  readonly results: ReadonlyMap<number, CommandResult>
  /** The stock that the one real question, the cash, is to be asked with; null: it is not asked. */
  readonly cashAsked: string | null
}

/** What happens next is made of the account as it is then; null: nothing happens. */
type Next = (account: Account) => AccountEvent | null

/** Far more than a moment brings: an order, its receipt, its fill and the sale that follows are eight. */
const MAX_STEPS = 10_000

/**
 * One event, and at once all that comes of it: the same rules decide, and in the place of the broker stands what would have
 * become of their orders. Pure: the same state, event and context give the same facts.
 */
export function rehearse(state: ShadowState, event: AccountEvent, ctx: Context): Rehearsed {
  return run(state, [() => event], ctx)
}

/** Trades of a stock: first they fill what rests, then the rules look at the price. */
export function rehearsePrice(state: ShadowState, code: string, market: Market, ctx: Context): Rehearsed {
  const filled: Next = (account) => {
    const fills = fillsBy(account, ctx, code, market)
    return fills.size === 0 ? null : { kind: 'snapshot', snapshot: listsOf(account.book, ctx.now, fills) }
  }
  return run(state, [filled, () => ({ kind: 'price', code })], ctx)
}

function run(state: ShadowState, begin: readonly Next[], ctx: Context): Rehearsed {
  const queue = [...begin]
  const facts: Fact[] = []
  const results = new Map<number, CommandResult>()
  let { account, outlay } = state
  let cashAsked: string | null = null
  let steps = 0
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const event = next(account)
    if (event === null) continue
    steps += 1
    if (steps > MAX_STEPS) throw new Error('a rehearsal does not come to rest')
    const made = step(account, event, ctx)
    // No step fills an order twice, nor one that it makes.
    for (const fact of made.facts) outlay = outlayAfter(outlay, account.book, fact)
    account = made.account
    facts.push(...made.facts)
    for (const effect of made.effects) {
      if (effect.kind === 'commandResult') results.set(effect.ticket, effect.result)
      else if (effect.kind === 'askCash') cashAsked = effect.code
      else queue.push(...answersTo(effect, ctx))
    }
  }
  return { state: { account, outlay }, facts, results, cashAsked }
}

type BrokerEffect = Exclude<Effect, { kind: 'commandResult' | 'askCash' }>

/** What a broker would say to it who takes every order at once. */
function answersTo(effect: BrokerEffect, ctx: Context): Next[] {
  switch (effect.kind) {
    case 'send': {
      const { orderId } = effect
      return [
        () => ({ kind: 'accepted', orderId, odno: shadowOdno(orderId), orgno: SHADOW_ORGNO }),
        (account) => arrival(account, ctx, orderId),
      ]
    }
    case 'cancel':
      return [
        () => ({ kind: 'cancelDone', orderId: effect.orderId }),
        ({ book }) => ({ kind: 'snapshot', snapshot: listsOf(book, ctx.now) }),
      ]
    case 'readLists':
      return [({ book }) => ({ kind: 'snapshot', snapshot: listsOf(book, ctx.now, NO_FILLS, effect.compare) })]
    case 'readStock':
      return [({ book }) => ({ kind: 'stockList', code: effect.code, list: listsOf(book, ctx.now) })]
  }
}

function arrival(account: Account, ctx: Context, orderId: number): AccountEvent | null {
  const order = account.book.orders.get(orderId)
  if (order?.status !== 'open') return null
  const price = priceAtArrival(account, ctx, order)
  if (price === null) return null
  return { kind: 'snapshot', snapshot: listsOf(account.book, ctx.now, new Map([[orderId, price]])) }
}
