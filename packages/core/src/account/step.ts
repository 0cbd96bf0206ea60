import { considerBuy, considerBuys, recallBuys, takeCash } from './buying.ts'
import { handleCommand } from './commands.ts'
import { StepBuilder } from './step-builder.ts'
import { giveUpWaiting, recallShadowed, settleWantedCancels } from './ordering.ts'
import { disarm, forgetTimes } from './rearm.ts'
import { watchLimits } from './limits/watch.ts'
import { openDay } from './new-day.ts'
import { noticeHeldKey } from './other-server.ts'
import { onReply } from './replies.ts'
import { settleSells } from './selling.ts'
import type { Account, AccountEvent, Context, Step } from './step-types.ts'
import { settlePendingSales } from './pending-sales.ts'
import { askForReadings, takeStock } from './stock-alone.ts'
import { onRestart, takeInheritance } from './restart.ts'
import { takeFailure, takeSnapshot } from './take-snapshot.ts'

const none: readonly never[] = []

type EventOf<K extends AccountEvent['kind']> = Extract<AccountEvent, { kind: K }>

/**
 * One event, one decision. Pure: the same account, event and context give the same facts and effects. The facts must
 * be durable before any effect runs. A price that crosses nothing costs a look-up and two comparisons.
 */
export function step(account: Account, event: AccountEvent, ctx: Context): Step {
  if (event.kind === 'price' && isQuiet(account, event.code, ctx)) return { account, facts: none, effects: none }
  const builder = new StepBuilder(account, ctx)
  openDay(builder)
  takeInheritance(builder)
  const before = builder.book
  react(builder, event)
  settleChanged(builder, before, event)
  // An order that was on its way can be taken back once it has its number.
  if (event.kind === 'timer' || event.kind === 'command' || event.kind === 'accepted') recallShadowed(builder)
  settleWantedCancels(builder)
  settlePendingSales(builder)
  watchLimits(builder, before, event)
  askForReadings(builder)
  return { account: { book: builder.book, view: builder.view }, facts: builder.facts, effects: builder.effects }
}

/** True when the price is above the next buy by more than the ask-ahead margin, or nothing is to be bought: the common case. */
function isQuiet(account: Account, code: string, ctx: Context): boolean {
  const next = account.book.stocks.get(code)?.nextBuyPrice
  if (next == null) return true
  const quote = ctx.quote(code)
  return quote === undefined || (quote.price - next) * 100 > next
}

function react(builder: StepBuilder, event: AccountEvent): void {
  const { now } = builder.ctx
  switch (event.kind) {
    case 'price':
      return considerBuy(builder, event.code)
    case 'timer':
      return onTimer(builder)
    case 'restarted':
      return onRestart(builder, event.lateMs)
    case 'authorised':
      builder.patchView({
        connection: { authorised: event.authorised },
        readSchedule: { running: false, failures: 0, notBefore: now },
      })
      return disarm(builder)
    case 'linked':
      // Notices are not replayed: whatever happened meanwhile is in the list only.
      return disarm(builder)
    case 'keyHeld':
      return noticeHeldKey(builder)
    case 'clockMoved':
      return forgetTimes(builder)
    case 'notice':
      return onNotice(builder, event)
    case 'snapshot':
      return takeSnapshot(builder, event.snapshot)
    case 'snapshotFailed':
      return takeFailure(builder, event)
    case 'stockList':
      return takeStock(builder, event)
    case 'cash':
    case 'cashFailed':
      return takeCash(builder, event)
    case 'issue':
      return onIssue(builder, event)
    case 'command': {
      const result = handleCommand(builder, event.ticket, event.command)
      if (result !== null) builder.effect({ kind: 'commandResult', ticket: event.ticket, result })
      return undefined
    }
    default:
      onReply(builder, event)
      // A reply has freed a place in the queue, which another order may take.
      if (builder.view.stocks.dueSince.size > 0) considerBuys(builder)
  }
}

function onNotice(builder: StepBuilder, { odno, filledCount, refused }: EventOf<'notice'>): void {
  const noticedFills = new Map(builder.view.orders.noticedFills).set(
    odno,
    (builder.view.orders.noticedFills.get(odno) ?? 0) + filledCount,
  )
  const { refusedByNotice } = builder.view.orders
  builder.patchView({
    orders: {
      noticedFills,
      noticedAt: builder.ctx.now,
      refusedByNotice: refused === true ? new Set(refusedByNotice).add(odno) : refusedByNotice,
    },
  })
  builder.readBy(builder.ctx.now)
}

function onIssue(builder: StepBuilder, { code, name, issue }: EventOf<'issue'>): void {
  const stock = builder.stock(code)
  if (stock === undefined) return
  const { kind, market, nxt } = stock.issue
  if (stock.name === name && kind === issue.kind && market === issue.market && nxt === issue.nxt) return
  builder.record({ kind: 'issueChanged', code, name, issue })
}

function onTimer(builder: StepBuilder): void {
  // Nothing is late, and no session over, by a clock that may be hours off.
  if (builder.ctx.isTimeUnknown === true) return
  giveUpWaiting(builder)
  recallBuys(builder)
  for (const code of builder.book.stocks.keys()) settleSells(builder, code)
  considerBuys(builder)
}

/** Sells follow whatever just changed on a stock; buys follow new settings. */
function settleChanged(builder: StepBuilder, before: Account['book'], event: AccountEvent): void {
  if (builder.book === before || event.kind === 'timer') return
  const isEdit = event.kind === 'command' && event.command.kind === 'updateStock'
  const moved = new Set<string | undefined>()
  // Lots that cost more are not sold on at the price of before, as little as after new settings.
  const givenUp = new Set<string>()
  for (const fact of builder.facts) {
    if ('orderId' in fact) moved.add(builder.book.orders.get(fact.orderId)?.code)
    if (fact.kind === 'expectedGivenUp') givenUp.add(fact.code)
  }
  for (const [code, stock] of builder.book.stocks) {
    const old = before.stocks.get(code)
    if (old === stock && !moved.has(code)) continue
    if (old?.settings !== stock.settings) recallBuys(builder, code)
    settleSells(builder, code, isEdit || givenUp.has(code))
  }
  if (event.kind === 'command' && event.command.kind === 'applyOrder') considerBuy(builder, event.command.code)
}
