import { kstDay } from '../krx/kst.ts'
import type { Draft } from './draft.ts'
import { isLive } from './life.ts'
import type { Effect, View } from './step-types.ts'
import type { Order } from './types.ts'

/** With live orders the list of executions is read at least this often, ms: notices can be lost without a trace. */
const READ_EVERY_MS = 15_000
/** While some order has no verdict, or a cancel is not confirmed, ms. */
const READ_UNSURE_MS = 3_000
/** Book and broker are compared this often, ms; balance is a heavy call for the broker. */
const COMPARE_EVERY_MS = 10 * 60_000
/** While a difference is in doubt, ms. */
const COMPARE_DOUBT_MS = 11_000
/** Comparisons of an armed account follow each other no faster than this, ms. */
const COMPARE_APART_MS = 5_000
/** A reading unanswered this long is given up and asked again, ms; the client's own time-outs are shorter. */
export const READ_PATIENCE_MS = 60_000
/** After the first failure, ms; doubled with each further one up to the maximum. */
const RETRY_READ_MS = 2_000
const RETRY_READ_MAX_MS = 30_000

/** Asks for the broker's lists when something waits for them: one reading at a time, slower while they fail. */
export function askForReading(draft: Draft): void {
  const { view, ctx, book } = draft
  if (!view.authorised || ctx.now < view.readAfter) return
  if (view.reading && ctx.now - view.readingSince < READ_PATIENCE_MS) return
  const compareDue = isCompareDue(view, ctx.now)
  const asked = view.readAt !== null && view.readAt <= ctx.now
  if (!asked && !compareDue && ctx.now - view.lastReadAt < readEvery(book.orders.values())) return
  draft.know({ reading: true, readingSince: ctx.now, readAt: null })
  draft.effect(readEffect(book.orders.values(), kstDay(ctx.now), compareDue))
}

function isCompareDue(view: View, now: number): boolean {
  if (view.armed && now - view.lastBalanceAt < COMPARE_APART_MS) return false
  if (view.suspects.size > 0) return true
  return now - view.lastComparedAt >= (view.doubts.size > 0 ? COMPARE_DOUBT_MS : COMPARE_EVERY_MS)
}

/** Readings follow each other no faster than this, ms: the broker's ledger takes about one query a second per account. */
const READ_APART_MS = 1_000

export function onReading(draft: Draft): void {
  const { now } = draft.ctx
  draft.know({ reading: false, readFailures: 0, lastReadAt: now, readAfter: now + READ_APART_MS })
}

export function onReadingFailed(draft: Draft): void {
  const { readFailures } = draft.view
  const wait = Math.min(RETRY_READ_MS * 2 ** readFailures, RETRY_READ_MAX_MS)
  const readAfter = draft.ctx.now + wait
  draft.know({ reading: false, readFailures: readFailures + 1, readAfter, readAt: readAfter })
}

function readEvery(orders: Iterable<Order>): number {
  let every = Number.POSITIVE_INFINITY
  for (const { status } of orders) {
    if (status === 'unknown' || status === 'cancelling') return READ_UNSURE_MS
    if (status === 'open') every = READ_EVERY_MS
  }
  return every
}

/** From the day of the oldest live order: one left over from yesterday is in yesterday's list. */
function readEffect(orders: Iterable<Order>, today: string, compareToo: boolean): Effect {
  let from = today
  for (const order of orders) if (isLive(order.status) && order.day < from) from = order.day
  return { kind: 'read', from, to: today, compare: compareToo }
}

/** When some stocks could not be compared because of a fill just now, the next comparison comes this soon, ms. */
const COMPARE_REST_MS = 30_000

/** The instant to note as last comparison: an earlier one when stocks were left out, so that they have their turn soon. */
export const comparedAt = (now: number, complete: boolean): number =>
  complete ? now : now - COMPARE_EVERY_MS + COMPARE_REST_MS
