import { kstDay } from '../krx/kst.ts'
import { considerBuy, considerBuys, recallBuys } from './buying.ts'
import { onCash, onCashFailed } from './buying-power.ts'
import { obey } from './commands.ts'
import { compare } from './compare.ts'
import { Draft } from './draft.ts'
import { applyExecutions } from './ledger.ts'
import { giveUpWaiting, loseOrder, settleUnwanted } from './ordering.ts'
import { askCancelsAgain, disarm, forgetTimes } from './rearm.ts'
import { watchLimits } from './limits/watch.ts'
import { onReply } from './replies.ts'
import { askForReading, onReading, onReadingFailed } from './schedule.ts'
import { settleSells } from './selling.ts'
import { emptyView, type Account, type AccountEvent, type Context, type Step } from './step-types.ts'
import { settleWishes } from './wishes.ts'

const none: readonly never[] = []

export const newAccount = (book: Account['book']): Account => ({ book, view: emptyView })

/**
 * One event, one decision. Pure: the same account, event and context give the same facts and effects. The facts must
 * be durable before any effect runs. A price that crosses nothing costs a look-up and two comparisons.
 */
export function step(account: Account, event: AccountEvent, ctx: Context): Step {
  if (event.kind === 'price' && isQuiet(account, event.code, ctx)) return { account, facts: none, effects: none }
  const draft = new Draft(account, ctx)
  openDay(draft)
  const before = draft.book
  react(draft, event)
  settleChanged(draft, before, event)
  settleUnwanted(draft)
  settleWishes(draft)
  watchLimits(draft, before, event)
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

/** Days only go forward: a clock set back must not open a past day again. */
function openDay(draft: Draft): void {
  const today = kstDay(draft.ctx.now)
  if (today <= draft.book.day) return
  draft.record({ kind: 'dayOpened', day: today })
  draft.know({ heldBuys: new Set(), agreedStrangers: new Map() })
}

function react(draft: Draft, event: AccountEvent): void {
  const { now } = draft.ctx
  switch (event.kind) {
    case 'price':
      return considerBuy(draft, event.code)
    case 'timer':
      return onTimer(draft)
    case 'restarted':
      return onRestart(draft, event.lateMs)
    case 'authorised':
      draft.know({ authorised: event.authorised, reading: false, readFailures: 0, readAfter: now })
      return disarm(draft)
    case 'linked':
      // Notices are not replayed: whatever happened meanwhile is in the list only.
      return disarm(draft)
    case 'clockMoved':
      return forgetTimes(draft)
    case 'notice':
      return onNotice(draft, event.odno, event.filledCount)
    case 'reading':
      // Asked before the clock was set back: nobody can say how old it is. No failure of the broker's.
      if (event.reading.askedAt > now) return draft.know({ reading: false, readAt: now })
      onReading(draft)
      applyExecutions(draft, event.reading)
      return compare(draft, event.reading)
    case 'readingFailed':
      return onReadingFailed(draft)
    case 'cash':
      if (onCash(draft, event.amount, event.askedAt)) considerBuys(draft)
      return undefined
    case 'cashFailed':
      return onCashFailed(draft)
    case 'issue':
      return onIssue(draft, event)
    case 'command': {
      const answer = obey(draft, event.ticket, event.command)
      if (answer !== null) draft.effect({ kind: 'answer', ticket: event.ticket, answer })
      return undefined
    }
    default:
      onReply(draft, event)
      // The place in the queue that a reply has freed is another order's.
      if (draft.view.dueSince.size > 0) considerBuys(draft)
  }
}

function onNotice(draft: Draft, odno: string, filledCount: number): void {
  const heard = new Map(draft.view.heard).set(odno, (draft.view.heard.get(odno) ?? 0) + filledCount)
  draft.know({ heard, heardAt: draft.ctx.now })
  draft.readBy(draft.ctx.now)
}

function onIssue(draft: Draft, { code, name, issue }: Extract<AccountEvent, { kind: 'issue' }>): void {
  const stock = draft.stock(code)
  if (stock === undefined) return
  const { kind, market, nxt } = stock.issue
  if (stock.name === name && kind === issue.kind && market === issue.market && nxt === issue.nxt) return
  draft.record({ kind: 'issueChanged', code, name, issue })
}

function onRestart(draft: Draft, lateMs: number): void {
  for (const { id, status } of draft.book.orders.values()) {
    if (status === 'intended') loseOrder(draft, id, '주문을 보내던 중에 다시 시작했습니다.', lateMs)
  }
  askCancelsAgain(draft, '취소하던 중에 다시 시작했습니다.')
}

function onTimer(draft: Draft): void {
  giveUpWaiting(draft)
  recallBuys(draft)
  for (const code of draft.book.stocks.keys()) settleSells(draft, code)
  considerBuys(draft)
}

/** Sells follow whatever just changed on a stock; buys follow new settings. */
function settleChanged(draft: Draft, before: Account['book'], event: AccountEvent): void {
  if (draft.book === before || event.kind === 'timer') return
  const isEdit = event.kind === 'command' && event.command.kind === 'updateStock'
  const moved = new Set<string | undefined>()
  for (const fact of draft.facts) if ('orderId' in fact) moved.add(draft.book.orders.get(fact.orderId)?.code)
  for (const [code, stock] of draft.book.stocks) {
    const old = before.stocks.get(code)
    if (old === stock && !moved.has(code)) continue
    if (old?.settings !== stock.settings) recallBuys(draft, code)
    settleSells(draft, code, isEdit)
  }
  if (event.kind === 'command' && event.command.kind === 'applyOrder') considerBuy(draft, event.command.code)
}
