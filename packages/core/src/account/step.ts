import { kstDay } from '../krx/kst.ts'
import { considerBuy, recallBuys } from './buying.ts'
import { obey } from './commands.ts'
import { compare } from './compare.ts'
import { Draft } from './draft.ts'
import { endOrder } from './ending.ts'
import { applyExecutions } from './ledger.ts'
import { isLive } from './life.ts'
import { settleSells } from './selling.ts'
import { emptyView, type Account, type AccountEvent, type Context, type Effect, type Step } from './step-types.ts'
import type { Order } from './types.ts'
import { settleWishes } from './wishes.ts'

/** With live orders the list of executions is read at least this often, ms: notices can be lost without a trace. */
const READ_EVERY_MS = 15_000
/** Without a verdict on some order, ms. */
const READ_UNKNOWN_MS = 3_000
/** Book and broker are compared this often, ms; balance is a heavy call for the broker. */
const COMPARE_EVERY_MS = 10 * 60_000
/** While a difference is in doubt, ms. */
const COMPARE_DOUBT_MS = 6_000
const RETRY_READ_MS = 2_000

const none: readonly never[] = []

export const newAccount = (book: Account['book']): Account => ({ book, view: emptyView })

/**
 * One event, one decision. Pure: the same account, event and context give the same facts and effects. The facts must
 * be durable before any effect runs. A price that crosses nothing costs a look-up and two comparisons.
 */
export function step(account: Account, event: AccountEvent, ctx: Context): Step {
  if (event.kind === 'price' && isQuiet(account, event.code, ctx)) return { account, facts: none, effects: none }
  const draft = new Draft(account, ctx)
  const before = draft.book
  react(draft, event)
  settleChanged(draft, before, event)
  settleWishes(draft)
  askForReading(draft)
  return { account: { book: draft.book, view: draft.view }, facts: draft.facts, effects: draft.effects }
}

/** Above the next buy by more than the ask-ahead margin, or nothing to buy: the common case. */
function isQuiet(account: Account, code: string, ctx: Context): boolean {
  const next = account.book.stocks.get(code)?.nextBuyPrice
  if (next == null) return true
  const quote = ctx.quote(code)
  return quote === undefined || (quote.price - next) * 100 > next
}

function react(draft: Draft, event: AccountEvent): void {
  const { now } = draft.ctx
  switch (event.kind) {
    case 'price':
      return considerBuy(draft, event.code)
    case 'timer':
      return onTimer(draft)
    case 'restarted':
      return onRestart(draft)
    case 'authorised':
      return draft.know({ authorised: event.authorised, armed: false, lastComparedAt: 0, reading: false, readAt: now })
    case 'linked':
      // Notices are not replayed: whatever happened meanwhile is in the list only.
      return draft.know({ armed: false, lastComparedAt: 0, readAt: now })
    case 'notice':
      return onNotice(draft, event.odno, event.filledCount)
    case 'reading':
      draft.know({ reading: false, lastReadAt: now })
      applyExecutions(draft, event.reading)
      return compare(draft, event.reading)
    case 'readingFailed':
      draft.know({ reading: false })
      return draft.readBy(now + RETRY_READ_MS)
    case 'buyable': {
      draft.know({ buyable: new Map(draft.view.buyable).set(event.code, { count: event.count, at: event.askedAt }) })
      forgetAsked(draft, event.code)
      return considerBuy(draft, event.code)
    }
    case 'buyableFailed':
      return forgetAsked(draft, event.code)
    case 'issue': {
      const { code, name, issue } = event
      return draft.record({ kind: 'issueChanged', code, name, issue })
    }
    case 'command': {
      const answer = obey(draft, event.ticket, event.command)
      if (answer !== null) draft.effect({ kind: 'answer', ticket: event.ticket, answer })
      return undefined
    }
    default:
      return onReply(draft, event)
  }
}

function forgetAsked(draft: Draft, code: string): void {
  const asked = new Map(draft.view.askedBuyable)
  asked.delete(code)
  draft.know({ askedBuyable: asked })
}

type Reply = Extract<AccountEvent, { orderId: number }>

/** The broker's (or our own) verdict on one call. */
function onReply(draft: Draft, event: Reply): void {
  const order = draft.book.orders.get(event.orderId)
  if (order === undefined) return
  const { now } = draft.ctx
  switch (event.kind) {
    case 'accepted':
      return onAccepted(draft, order, event.odno, event.orgno)
    case 'refused':
      if (isLive(order.status)) endOrder(draft, order, 'rejected', event.text)
      return
    case 'notSent':
      if (isLive(order.status)) endOrder(draft, order, 'notPlaced', event.text)
      return
    case 'unknown':
      if (draft.may(order, 'lose')) draft.record({ kind: 'orderLost', orderId: order.id, note: event.text })
      return draft.readBy(now)
    case 'cancelDone':
      // The receipt says nothing about the final count: only the list does.
      return draft.readBy(now)
    case 'cancelFailed':
      // "Nothing to cancel" is a normal race with a fill; a lost reply may have cancelled it. The list tells.
      if (order.status === 'cancelling') draft.record({ kind: 'cancelRefused', orderId: order.id, note: event.text })
      return draft.readBy(now)
  }
}

function onAccepted(draft: Draft, order: Order, odno: string, orgno: string): void {
  if (order.odno === odno) return
  if (!draft.may(order, 'accept')) return
  draft.record({ kind: 'orderAccepted', orderId: order.id, odno, orgno })
  // A fill notice can overtake the reply.
  if (draft.view.heard.has(odno)) draft.readBy(draft.ctx.now)
}

function onNotice(draft: Draft, odno: string, filledCount: number): void {
  const heard = new Map(draft.view.heard).set(odno, (draft.view.heard.get(odno) ?? 0) + filledCount)
  draft.know({ heard })
  draft.readBy(draft.ctx.now)
}

function onRestart(draft: Draft): void {
  for (const { id, status } of draft.book.orders.values()) {
    if (status === 'intended')
      draft.record({ kind: 'orderLost', orderId: id, note: '주문을 보내던 중에 다시 시작했습니다.' })
    // Whether the cancel left is unknown; asking again is harmless, so it is asked again when needed.
    if (status === 'cancelling')
      draft.record({ kind: 'cancelRefused', orderId: id, note: '취소하던 중에 다시 시작했습니다.' })
  }
}

function onTimer(draft: Draft): void {
  const today = kstDay(draft.ctx.now)
  if (today !== draft.book.day) draft.record({ kind: 'dayOpened', day: today })
  recallBuys(draft)
  for (const code of draft.book.stocks.keys()) settleSells(draft, code)
}

/** Sells follow whatever just changed on a stock; buys follow new settings. */
function settleChanged(draft: Draft, before: Account['book'], event: AccountEvent): void {
  if (draft.book === before || event.kind === 'timer') return
  for (const [code, stock] of draft.book.stocks) {
    const old = before.stocks.get(code)
    const ordersMoved = draft.facts.some(
      (fact) => 'orderId' in fact && draft.book.orders.get(fact.orderId)?.code === code,
    )
    if (old === stock && !ordersMoved) continue
    if (old?.settings !== stock.settings) recallBuys(draft, code)
    settleSells(draft, code)
  }
  if (event.kind === 'command' && event.command.kind === 'applyOrder') considerBuy(draft, event.command.code)
}

function askForReading(draft: Draft): void {
  const { view, ctx, book } = draft
  if (!view.authorised || view.reading) return
  const compareDue = ctx.now - view.lastComparedAt >= (view.doubts.size > 0 ? COMPARE_DOUBT_MS : COMPARE_EVERY_MS)
  const asked = view.readAt !== null && view.readAt <= ctx.now
  if (!asked && !compareDue && ctx.now - view.lastReadAt < readEvery(book.orders.values())) return
  draft.know({ reading: true, readAt: null })
  draft.effect(readEffect(book.orders.values(), kstDay(ctx.now), compareDue))
}

function readEvery(orders: Iterable<Order>): number {
  let every = Number.POSITIVE_INFINITY
  for (const { status } of orders) {
    if (status === 'unknown') return READ_UNKNOWN_MS
    if (status === 'open' || status === 'cancelling') every = READ_EVERY_MS
  }
  return every
}

/** From the day of the oldest live order: one left over from yesterday is in yesterday's list. */
function readEffect(orders: Iterable<Order>, today: string, compareToo: boolean): Effect {
  let from = today
  for (const order of orders) if (isLive(order.status) && order.day < from) from = order.day
  return { kind: 'read', from, to: today, compare: compareToo }
}
