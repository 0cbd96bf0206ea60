import { restoredAt } from './other-server-state.ts'
import { askCash, askCashOfDay, knownCash, onCash, onCashFailed, sharesFor } from './buying-power.ts'
import { noticeBaseMove } from './corporate-action.ts'
import { barredAs, isFrozen } from './issue-checks.ts'
import type { StepBuilder } from './step-builder.ts'
import { isOurDelay, noteDue } from './delayed-orders.ts'
import { gate } from './gate.ts'
import { firstDaysText } from './limits/first-days.ts'
import { stopAtLimit } from './limits/watch.ts'
import { askCancel, place } from './ordering.ts'
import { wantedBuy } from './wanted-buy.ts'
import type { Account, AccountEvent, Context, Proposal, Quote } from './step-types.ts'
import type { BuyPlan, Reason, Stock } from './types.ts'

/** Ask ahead when the price is this close above the next buy, percent: the answer is then ready at the trigger. */
export const ASK_AHEAD_PERCENT = 1
/** An automatic buy unfilled after this long is cancelled and armed again (design 3.5), ms. */
const BUY_TIMEOUT_MS = 30_000

type Judgement =
  | { readonly kind: 'buy'; readonly proposal: Proposal; readonly why: string }
  | { readonly kind: 'ask'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'hold'; readonly reasons: readonly Reason[] }

/** Judges whether a buy would go out now, and why (not), without a change: the same answer feeds the order and the screen. */
export function judgeBuy(account: Account, ctx: Context, stock: Stock, quote: Quote): Judgement {
  const { limits } = account.book
  const cash = knownCash(account, ctx)
  const buyable = cash === null ? null : sharesFor(cash, quote.price)
  const plan = wantedBuy(account.book, stock, quote, buyable)
  if (plan.kind === 'hold') return plan
  const proposal = proposalOf(stock, plan)
  const gateResult = gate(account, ctx, proposal)
  if (!gateResult.ok) return { kind: 'hold', reasons: [gateResult.reason] }
  if (cash === null) return { kind: 'ask', reasons: [askingCash(account.view.cash.failure)] }
  const why = [...plan.reasons.map((reason) => reason.text), firstDaysText(limits)]
  return { kind: 'buy', proposal, why: why.filter((text) => text !== null).join(' ') }
}

const askingCash = (failure: string | null): Reason => ({
  side: 'buy',
  ok: false,
  code: 'askingCash',
  text:
    failure === null
      ? '살 수 있는 금액을 증권사에 묻는 중입니다.'
      : `살 수 있는 금액을 알지 못해 증권사에 다시 묻습니다: ${failure}`,
})

const proposalOf = (stock: Stock, plan: Extract<BuyPlan, { kind: 'buy' }>): Proposal => ({
  stock,
  side: 'buy',
  origin: 'auto',
  type: 'limit',
  price: plan.price,
  reservedPrice: plan.price,
  count: plan.count,
  lotIds: [],
})

/** Runs on each price, each second and each answer about cash; ends in nothing, a question about cash, or an order. */
export function considerBuy(builder: StepBuilder, code: string): void {
  noticeBaseMove(builder, code)
  const stock = builder.stock(code)
  const quote = builder.ctx.quote(code)
  if (stock === undefined || stock.nextBuyPrice === null || quote === undefined) return
  if (quote.price > stock.nextBuyPrice) {
    noteDue(builder, `buy ${code}`, false)
    const near = isNear(quote.price, stock.nextBuyPrice)
    // No question before book and broker were compared: it would only delay those lists.
    if (near && quote.live && stock.blocked === null && builder.view.connection.armed) askCash(builder, code)
    return
  }
  const judgement = judgeBuy({ book: builder.book, view: builder.view }, builder.ctx, stock, quote)
  noteDue(builder, `buy ${code}`, isHeldUp(judgement))
  if (judgement.kind === 'buy') place(builder, judgement.proposal, judgement.why)
  if (judgement.kind !== 'hold' || needsCash(judgement.reasons)) askCash(builder, code)
  if (judgement.kind === 'hold') stopAtLimit(builder, judgement.reasons)
}

/** Considers every stock whose price is at or near its next buy; the others cost a look-up and a comparison. */
export function considerBuys(builder: StepBuilder): void {
  for (const [code, { nextBuyPrice }] of builder.book.stocks) {
    const price = nextBuyPrice === null ? undefined : builder.ctx.quote(code)?.price
    const near = price !== undefined && nextBuyPrice !== null && isNear(price, nextBuyPrice)
    if (near) considerBuy(builder, code)
    else noteDue(builder, `buy ${code}`, false)
  }
  askCashOfDay(builder)
}

/** The broker's answer to the question about cash. */
export function takeCash(builder: StepBuilder, answer: Extract<AccountEvent, { kind: 'cash' | 'cashFailed' }>): void {
  if (answer.kind === 'cashFailed') return onCashFailed(builder, answer.text)
  if (onCash(builder, answer.amount, answer.askedAt)) considerBuys(builder)
}

const isNear = (price: number, next: number): boolean => (price - next) * 100 <= next * ASK_AHEAD_PERCENT

const isHeldUp = (judgement: Judgement): boolean =>
  judgement.kind === 'ask' || (judgement.kind === 'hold' && judgement.reasons.some(isOurDelay))

const needsCash = (reasons: readonly Reason[]): boolean => reasons.some(({ code }) => code === 'notEnoughCash')

/** Cancels automatic buys that waited too long, or that the settings no longer want. */
export function recallBuys(builder: StepBuilder, code?: string): void {
  // A book that was put back does not tell whose they are.
  if (code === undefined && restoredAt(builder.book.otherServer) !== null) return
  for (const order of builder.book.orders.values()) {
    if (order.side !== 'buy' || order.origin !== 'auto' || order.status !== 'open') continue
    if (code !== undefined && order.code !== code) continue
    const stock = builder.stock(order.code)
    const next = stock?.nextBuyPrice ?? null
    const frozen = stock !== undefined && isFrozen(stock, builder.ctx)
    const barred = barredAs(builder.ctx.quote(order.code)) !== null
    const unwanted = next === null || frozen || barred || (order.filledCount === 0 && order.price > next)
    if (unwanted || builder.ctx.now - order.createdAt >= BUY_TIMEOUT_MS) askCancel(builder, order.id)
  }
}
