import { planBuy } from '../ladder/buy.ts'
import type { Draft } from './draft.ts'
import { liveOrders } from './draft.ts'
import { gate, type Proposal } from './gate.ts'
import { liveBuyAmount } from './limits/use.ts'
import { stopAtLimit } from './limits/watch.ts'
import { askCancel, place } from './ordering.ts'
import type { Account, Context, Quote } from './step-types.ts'
import type { BuyPlan, Reason, Stock } from './types.ts'

/** An answer about buying power is used this long, ms: other programs may spend the same cash. */
const BUYABLE_MS = 10_000
/** After a question about cash that failed, ms. */
const ASK_AGAIN_MS = 2_000
/** Ask ahead when the price is this close above the next buy, percent: the answer is then ready at the trigger. */
export const ASK_AHEAD_PERCENT = 1
/** An automatic buy unfilled after this long is cancelled and armed again (design 3.5), ms. */
const BUY_PATIENCE_MS = 30_000

type Judgement =
  | { readonly kind: 'buy'; readonly proposal: Proposal; readonly why: string }
  | { readonly kind: 'ask'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'hold'; readonly reasons: readonly Reason[] }

/** Would a buy go out now, and why (not)? Looks only: the same answer feeds the order and the screen. */
export function judgeBuy(account: Account, ctx: Context, stock: Stock, quote: Quote): Judgement {
  const buyable = knownBuyable(account, ctx, stock.issue.code, quote.price)
  const plan = planBuy({
    settings: stock.settings,
    kind: stock.issue.kind,
    lots: stock.lots,
    liveBuyAmount: liveBuyAmount(liveOrders(account.book, stock.issue.code)),
    price: quote.price,
    buyableCount: buyable,
    band: quote.band,
  })
  if (plan.kind === 'hold') return plan
  const proposal = proposalOf(stock, plan)
  const passage = gate(account, ctx, proposal)
  if (!passage.ok) return { kind: 'hold', reasons: [passage.reason] }
  if (buyable === null) return { kind: 'ask', reasons: [waiting] }
  return { kind: 'buy', proposal, why: plan.reasons.map((reason) => reason.text).join(' ') }
}

const waiting: Reason = {
  side: 'buy',
  ok: false,
  code: 'asking-cash',
  text: '살 수 있는 수량을 증권사에 묻는 중입니다.',
}

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

/**
 * Shares that cash still allows. The broker's answer may not know of our own buys that had no verdict when it was asked:
 * those are taken off at their worst, and an answer older than the last acceptance counts for nothing.
 */
function knownBuyable(account: Account, ctx: Context, code: string, price: number): number | null {
  const answer = account.view.buyable.get(code)
  if (answer === undefined || ctx.now - answer.at > BUYABLE_MS || answer.at < account.view.cashMovedAt) return null
  return lessPending(account, answer.count, price)
}

/** `count` shares at `price` or more, less what buys of any stock without a verdict may have taken of the same cash. */
export function lessPending({ book }: Account, count: number, price: number): number {
  let pending = 0
  for (const order of book.orders.values()) {
    const noVerdict = order.status === 'intended' || order.status === 'unknown'
    if (order.side === 'buy' && noVerdict) pending += order.count * order.reservedPrice
  }
  return Math.max(0, count - Math.ceil(pending / price))
}

/** On each price: nothing, a question about cash, or an order. */
export function considerBuy(draft: Draft, code: string): void {
  const stock = draft.stock(code)
  const quote = draft.ctx.quote(code)
  if (stock === undefined || stock.nextBuyPrice === null || quote === undefined) return
  const account = { book: draft.book, view: draft.view }
  if (quote.price > stock.nextBuyPrice) {
    const near = (quote.price - stock.nextBuyPrice) * 100 <= stock.nextBuyPrice * ASK_AHEAD_PERCENT
    // Not before book and broker were compared: the question would only stand in the way of those lists.
    if (near && quote.live && stock.blocked === null && account.view.armed) askBuyable(draft, account, code)
    return
  }
  const judgement = judgeBuy(account, draft.ctx, stock, quote)
  if (judgement.kind === 'buy') place(draft, judgement.proposal, judgement.why)
  if (judgement.kind === 'ask') askBuyable(draft, account, code)
  if (judgement.kind === 'hold') stopAtLimit(draft, judgement.reasons)
}

function askBuyable(draft: Draft, account: Account, code: string): void {
  if (!account.view.authorised || knownBuyable(account, draft.ctx, code, 1) !== null) return
  const asked = account.view.askedBuyable.get(code)
  if (asked !== undefined && draft.ctx.now - asked < BUYABLE_MS) return
  draft.know({ askedBuyable: new Map(account.view.askedBuyable).set(code, draft.ctx.now) })
  draft.effect({ kind: 'askBuyable', code })
}

export function onBuyable(draft: Draft, code: string, count: number, askedAt: number): void {
  // Asked before the clock was set back: nobody can say how old it is.
  if (askedAt > draft.ctx.now) return onBuyableFailed(draft, code)
  const askedBuyable = new Map(draft.view.askedBuyable)
  askedBuyable.delete(code)
  draft.know({ askedBuyable, buyable: new Map(draft.view.buyable).set(code, { count, at: askedAt }) })
  considerBuy(draft, code)
}

export function onBuyableFailed(draft: Draft, code: string): void {
  const retryAt = draft.ctx.now - BUYABLE_MS + ASK_AGAIN_MS
  draft.know({ askedBuyable: new Map(draft.view.askedBuyable).set(code, retryAt) })
}

/** Automatic buys that waited too long, or that the settings no longer want, are taken back. */
export function recallBuys(draft: Draft, code?: string): void {
  for (const order of draft.book.orders.values()) {
    if (order.side !== 'buy' || order.origin !== 'auto' || order.status !== 'open') continue
    if (code !== undefined && order.code !== code) continue
    const next = draft.stock(order.code)?.nextBuyPrice ?? null
    const unwanted = next === null || (order.filledCount === 0 && order.price > next)
    if (unwanted || draft.ctx.now - order.createdAt >= BUY_PATIENCE_MS) askCancel(draft, order.id)
  }
}
