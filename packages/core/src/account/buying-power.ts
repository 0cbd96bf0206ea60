import { kstDay } from '../krx/kst.ts'
import { dayBegins, dayEnds } from '../krx/session.ts'
import type { StepBuilder } from './step-builder.ts'
import { isLive } from './order-status.ts'
import { isShadowed } from './refuse-shadowed.ts'
import type { Account, Context } from './step-types.ts'
import type { Order, Stock } from './types.ts'

/** An answer about cash is used this long after its question left, ms: other programs may spend the same cash. */
const ANSWER_MS = 10_000
/** While a stock is near or at its next buy a new question leaves when the answer is this old, ms: one is always at hand. */
const REFRESH_MS = 5_000
/** After a question that failed the next waits this long, ms. */
const FAILED_MS = 2_000
/** A question without any report is given up and asked again after this long, ms; the client's own time-outs are shorter. */
const QUESTION_TIMEOUT_MS = 60_000
/** Reserved for the broker's fee, percent of a buy: the highest of its tariffs for orders sent over a network (a belief). */
const FEE_PERCENT = 0.5

/** Won that a buy takes out of the account at worst, fee included. */
const worstCost = (won: number): number => won * (1 + FEE_PERCENT / 100)

/**
 * Won that buys may still take, or null while no answer is young enough. The broker's answer is one figure for the whole
 * account; buys it cannot know of yet are subtracted at their worst: those without a verdict, and those accepted since it was asked.
 */
export function knownCash(account: Account, ctx: Context): number | null {
  const known = lastKnownCash(account)
  return known === null || ctx.now - known.at > ANSWER_MS ? null : known.amount
}

/** The same from an answer of any age, with the time its question left: for people, who see how old it is. */
export function lastKnownCash({ book, view }: Account): { readonly amount: number; readonly at: number } | null {
  const { answer, acceptedAt } = view.cash
  return answer && { amount: answer.amount - unseenBuys(book.orders.values(), acceptedAt, answer.at), at: answer.at }
}

function unseenBuys(orders: Iterable<Order>, acceptedAt: ReadonlyMap<number, number>, askedAt: number): number {
  let won = 0
  for (const order of orders) {
    if (order.side === 'sell') continue
    const noVerdict = order.status === 'intended' || order.status === 'unknown'
    if (!noVerdict && (acceptedAt.get(order.id) ?? 0) <= askedAt) continue
    won += isLive(order.status) ? order.count * order.reservedPrice : order.filledAmount
  }
  return worstCost(won)
}

/** Shares at `price` won each that this much cash pays, fee included. */
export const sharesFor = (cash: number, price: number): number => Math.max(0, Math.floor(cash / worstCost(price)))

/** As `sharesFor`, for an answer to a person's own question: less what buys without a verdict may have spent of that cash. */
export function sharesLeft({ book, view }: Account, amount: number, askedAt: number, price: number): number {
  return sharesFor(amount - unseenBuys(book.orders.values(), view.cash.acceptedAt, askedAt), price)
}

/** Asks the broker, unless the answer is young, a question is out already, or the last one failed just now. */
export function askCash(builder: StepBuilder, code: string): void {
  const { view, ctx } = builder
  const stock = builder.stock(code)
  // The rehearsal asks for itself.
  if (stock !== undefined && isShadowed(stock, ctx)) return
  if (!view.connection.authorised || ctx.now < view.cash.notBefore) return
  if (view.cash.askedAt !== null && ctx.now - view.cash.askedAt < QUESTION_TIMEOUT_MS) return
  if (view.cash.answer !== null && ctx.now - view.cash.answer.at < REFRESH_MS) return
  builder.patchView({ cash: { askedAt: ctx.now } })
  builder.effect({ kind: 'askCash', code })
}

/** Before a day's first trading, ms: whoever looks in the morning sees whether cash is answered. */
const CASH_AHEAD_MS = 30 * 60_000

/** A failed question that no price waits for is asked again after this, ms. */
const CASH_AGAIN_MS = 60_000

/** It would buy here by itself, so that a question about cash is worth its call. */
export const mayAskFor = (stock: Stock, ctx: Context): boolean =>
  stock.nextBuyPrice !== null && stock.stop === 'active' && stock.blocked === null && !isShadowed(stock, ctx)

/** Once a trading day, so that an answer that never comes is seen before a price waits for it. */
export function askCashOfDay(builder: StepBuilder): void {
  const { book, view, ctx } = builder
  const { answer, failure, notBefore } = view.cash
  if (!view.connection.armed || ctx.now < (failure === null ? 0 : notBefore + CASH_AGAIN_MS)) return
  const day = kstDay(ctx.now)
  if (answer !== null && kstDay(answer.at) === day) return
  const begins = dayBegins(day, ctx.timetable)
  if (begins === null || ctx.now < begins - CASH_AHEAD_MS || ctx.now >= dayEnds(day, ctx.timetable).all) return
  const codes = [...book.stocks.values()].filter((stock) => mayAskFor(stock, ctx)).map(({ issue }) => issue.code)
  // The broker may refuse the question for one stock: after each failure another is asked for.
  const code = codes[Math.floor(ctx.now / CASH_AGAIN_MS) % Math.max(1, codes.length)]
  if (code !== undefined) askCash(builder, code)
}
/** False for a question asked by another clock, or before the link was lost: the age of its answer is unknown. */
export const isAgeKnown = ({ view, ctx }: StepBuilder, askedAt: number): boolean =>
  askedAt <= ctx.now && askedAt >= view.connection.linkedAt

/** True when the answer counts. */
export function onCash(builder: StepBuilder, amount: number, askedAt: number): boolean {
  if (!isAgeKnown(builder, askedAt)) {
    onCashFailed(builder, '묻는 사이 연결이나 시계가 바뀌었습니다.')
    return false
  }
  const acceptedAt = new Map([...builder.view.cash.acceptedAt].filter(([, at]) => at > askedAt))
  builder.patchView({ cash: { answer: { amount, at: askedAt }, askedAt: null, failure: null, acceptedAt } })
  return true
}

/** `failure`: the cause in words for people. */
export function onCashFailed(builder: StepBuilder, failure: string): void {
  builder.patchView({ cash: { askedAt: null, notBefore: builder.ctx.now + FAILED_MS, failure } })
}

/** The broker has the order: answers about cash asked before do not know of it. */
export function noteAcceptedBuy(builder: StepBuilder, order: Order): void {
  if (order.side === 'buy')
    builder.patchView({ cash: { acceptedAt: new Map(builder.view.cash.acceptedAt).set(order.id, builder.ctx.now) } })
}
