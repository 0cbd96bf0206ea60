import { routeOf } from './venues.ts'
import { isAgeKnown, knownCash, lastKnownCash, sharesLeft } from './buying-power.ts'
import { buyOrderOf, isOld, marketBuy, type BuyOrder } from './market-buy.ts'
import { asQuoted, decidedBy, type DecidedBy } from './quoted-account.ts'
import { StepBuilder } from './step-builder.ts'
import type { Account, Context } from './step-types.ts'
import type { Order } from './types.ts'

/** A buy by hand for an amount in won. */
export interface BuyAsked {
  readonly code: string
  readonly amount: number
}

/** What a buy by hand would do in this moment. */
export interface BuyQuote {
  /** Why it would be refused; null where it would not. */
  readonly refusal: string | null
  /** As it would be sent; null without a price, or for less than a share. */
  readonly order: BuyOrder | null
  /** Null: nothing is taken now. */
  readonly venue: Order['venue'] | null
  /** The last trade is no price to buy at any price by: a limit holds the order at it. */
  readonly isOld: boolean
  /** Null: there is no price. */
  readonly last: DecidedBy | null
  /** It would be rehearsed and not sent. */
  readonly shadow: boolean
  /** What the broker last said may be spent, less what buys may have taken of it since, and when it was asked; null: never. */
  readonly cash: { readonly amount: number; readonly at: number } | null
  /** Shares that this cash pays for; null without cash or order. It is asked anew before the order leaves. */
  readonly buyable: number | null
}

/** Decided by what decides the buy itself, on a copy: nothing is written, sent or asked. Null: there is no such stock. */
export function buyQuote(real: Account, server: Context, { code, amount }: BuyAsked): BuyQuote | null {
  const { account, ctx, shadow } = asQuoted(real, server, code)
  const builder = new StepBuilder(account, ctx)
  const stock = builder.stock(code)
  if (stock === undefined) return null
  const last = ctx.quote(code)
  const planned = last === undefined ? null : buyOrderOf(builder, stock, last, amount)
  const order = planned !== null && planned.count >= 1 ? planned : null
  const venue = routeOf(account, ctx, stock.issue)?.venue ?? null
  const cash = lastKnownCash(account)
  const answer = account.view.cash.answer
  const buyable =
    order === null || answer === null ? null : sharesLeft(account, answer.amount, answer.at, order.reservedPrice)
  const result = marketBuy(builder, stock, { kind: 'marketBuy', code, amount, ...spendable(builder) })
  return {
    refusal: result.ok ? null : result.text,
    order,
    venue,
    isOld: last !== undefined && isOld(builder, stock, last),
    last: decidedBy(last),
    shadow,
    cash,
    buyable,
  }
}

/** An answer that an automatic buy would still use decides here too; an older one refuses nothing, for it is asked anew. */
function spendable(builder: StepBuilder): { cash: number; askedAt: number } {
  const { answer } = builder.view.cash
  const isYoung = answer !== null && knownCash(builder, builder.ctx) !== null && isAgeKnown(builder, answer.at)
  return isYoung
    ? { cash: answer.amount, askedAt: answer.at }
    : { cash: Number.POSITIVE_INFINITY, askedAt: builder.ctx.now }
}
