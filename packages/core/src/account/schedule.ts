import { kstDay } from '../krx/kst.ts'
import type { StepBuilder } from './step-builder.ts'
import { isLive } from './order-status.ts'
import type { BrokerSnapshot, Effect } from './step-types.ts'
import { restoredAt } from './other-server-state.ts'
import type { Book, Order } from './types.ts'
import type { View } from './view.ts'

/** With live orders the list of executions is read at least this often, ms: notices can be lost without a trace. */
const READ_INTERVAL_MS = 15_000
/** The list is read this often while some order has no verdict, or a cancel is not confirmed, ms. */
const READ_INTERVAL_UNSURE_MS = 3_000
/** Book and broker are compared this often, ms; balance is a heavy call for the broker. */
const COMPARE_INTERVAL_MS = 10 * 60_000
/** Book and broker are compared this often while a difference is suspected, ms. */
const COMPARE_INTERVAL_SUSPECTED_MS = 11_000
/** Comparisons of an armed account follow each other no faster than this, ms. */
const MIN_COMPARE_INTERVAL_MS = 5_000
/** A reading unanswered this long is given up and asked again, ms; the client's own time-outs are shorter. */
const READ_TIMEOUT_MS = 60_000
/** The wait after the first failure, ms; doubled with each further one up to the maximum. */
const RETRY_READ_MS = 2_000
const RETRY_READ_MAX_MS = 30_000

/** Asks for the broker's lists when something waits for them: one reading at a time, slower while they fail. */
export function askForLists(builder: StepBuilder): void {
  const { view, ctx, book } = builder
  if (!view.connection.authorised || ctx.now < view.readSchedule.notBefore) return
  if (view.readSchedule.running && ctx.now - view.readSchedule.startedAt < READ_TIMEOUT_MS) return
  const compareDue = isCompareDue(view, ctx.now)
  const asked = view.readSchedule.dueAt !== null && view.readSchedule.dueAt <= ctx.now
  if (!asked && !compareDue && ctx.now - view.readSchedule.lastAt < readEvery(book)) return
  builder.patchView({ readSchedule: { running: true, startedAt: ctx.now, dueAt: null } })
  const noticed = noticedCodes(book.orders.values(), view.orders.noticedFills)
  const effect = readEffect(book.orders.values(), kstDay(ctx.now), compareDue)
  builder.effect(noticed.length === 0 ? effect : { ...effect, noticed })
}

function noticedCodes(orders: Iterable<Order>, noticedFills: ReadonlyMap<string, number>): string[] {
  const codes = new Set<string>()
  if (noticedFills.size === 0) return []
  for (const { odno, code, filledCount } of orders)
    if (odno !== null && (noticedFills.get(odno) ?? 0) > filledCount) codes.add(code)
  return [...codes]
}

function isCompareDue(view: View, now: number): boolean {
  if (view.connection.armed && now - view.readSchedule.lastBalanceAt < MIN_COMPARE_INTERVAL_MS) return false
  if (view.stocks.strangerFillsSince.size > 0) return true
  return (
    now - view.readSchedule.lastComparedAt >=
    (view.stocks.suspectedMismatches.size + view.stocks.uncompared.size > 0
      ? COMPARE_INTERVAL_SUSPECTED_MS
      : COMPARE_INTERVAL_MS)
  )
}

/** Readings follow each other no faster than this, ms: the broker's ledger takes about one query a second per account. */
const MIN_READ_INTERVAL_MS = 1_000

/** Where the holdings are due and did not come with the list, the reading goes on for them at once. */
export function onSnapshot(builder: StepBuilder, { balance }: BrokerSnapshot): void {
  const { now } = builder.ctx
  const goesOn = balance === null && isCompareDue(builder.view, now)
  const notBefore = goesOn ? now : now + MIN_READ_INTERVAL_MS
  // What kept the holdings away is not over with the list alone.
  const failure = goesOn ? builder.view.readSchedule.failure : null
  builder.patchView({ readSchedule: { running: false, failures: 0, failure, lastAt: now, notBefore } })
}

/** `failure`: the cause in words for people. `isPart`: the broker answers, and only did not come to the end. */
export function onSnapshotFailed(builder: StepBuilder, failure: string, isPart: boolean): void {
  const { failures } = builder.view.readSchedule
  const wait = isPart ? RETRY_READ_MS : Math.min(RETRY_READ_MS * 2 ** failures, RETRY_READ_MAX_MS)
  const notBefore = builder.ctx.now + wait
  builder.patchView({ readSchedule: { running: false, failures: failures + 1, failure, notBefore, dueAt: notBefore } })
}

function readEvery({ orders, otherServer }: Book): number {
  // What a restored book lacks, and whether somebody else still trades, shows in the list only.
  let every = restoredAt(otherServer) === null ? Number.POSITIVE_INFINITY : READ_INTERVAL_MS
  for (const { status } of orders.values()) {
    if (status === 'unknown' || status === 'cancelling') return READ_INTERVAL_UNSURE_MS
    if (status === 'open') every = READ_INTERVAL_MS
  }
  return every
}

/** Reads from the day of the oldest live order: one left over from yesterday is in yesterday's list. */
function readEffect(orders: Iterable<Order>, today: string, compare: boolean): Extract<Effect, { kind: 'readLists' }> {
  let from = today
  for (const order of orders) if (isLive(order.status) && order.day < from) from = order.day
  return { kind: 'readLists', from, to: today, compare }
}

/** When some stocks could not be compared because of a fill just now, the next comparison comes this soon, ms. */
const COMPARE_REMAINING_MS = 30_000

/** The instant to note as last comparison: an earlier one when stocks were left out, so that they are compared soon. */
export const comparedAt = (now: number, complete: boolean): number =>
  complete ? now : now - COMPARE_INTERVAL_MS + COMPARE_REMAINING_MS
