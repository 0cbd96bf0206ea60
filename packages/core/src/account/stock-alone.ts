import { kstDay } from '../krx/kst.ts'
import { orderKey } from './end-order.ts'
import { applySeen, isNoChange } from './ledger.ts'
import { LISTING_LAG_MS } from './order-status.ts'
import { askForLists } from './schedule.ts'
import type { StepBuilder } from './step-builder.ts'
import type { AccountEvent, BrokerSnapshot } from './step-types.ts'
import type { Order } from './types.ts'
import { conclusiveFrom, MIN_ABSENCE_INTERVAL_MS, settleUnknown } from './unknown.ts'
import { LISTED_WITHIN_MS } from './unlisted.ts'

/**
 * The list of a day with hundreds of orders takes many seconds, and may change before its end. That of one stock is one page:
 * where the list of all has not come for so long, an order without a verdict is looked for there, ms.
 */
const LIST_IS_LATE_MS = 8_000
/** An order that may still arrive can be found, and not be absent: nothing hurries, and the ledger takes one question a second, ms. */
const MAY_ARRIVE_INTERVAL_MS = 15_000
/** A broker that answers nothing is not asked more for it, ms. */
const AFTER_FAILURE_MS = 10_000
/** A question unanswered this long is given up and asked again, ms; the client's own time-outs are shorter. */
const TIMEOUT_MS = 60_000

/** Asks for what the account has to read of the broker now: its lists, and beside them that of a stock. */
export function askForReadings(builder: StepBuilder): void {
  askForLists(builder)
  askForStock(builder)
}

/** Asks for the list of one stock whose order has no verdict, one stock at a time, each in its turn. */
function askForStock(builder: StepBuilder): void {
  const { view, ctx } = builder
  const { alone, lastAt } = view.readSchedule
  if (!view.connection.authorised || ctx.now - lastAt < LIST_IS_LATE_MS) return
  const listed = [...builder.book.orders.values()].filter((order) => isToBeFound(builder, order))
  const ripe = listed.filter((order) => ctx.now >= conclusiveFrom(order))
  const [lost, every] = ripe.length > 0 ? [ripe, MIN_ABSENCE_INTERVAL_MS] : [listed, MAY_ARRIVE_INTERVAL_MS]
  if (ctx.now - alone.at < (alone.out ? TIMEOUT_MS : every)) return
  const codes = [...new Set(lost.map(({ code }) => code))].sort()
  const code = codes.find((one) => one > alone.code) ?? codes[0]
  if (code === undefined) return
  const to = kstDay(ctx.now)
  const from = lost.reduce((day, order) => (order.code === code && order.day < day ? order.day : day), to)
  builder.patchView({ readSchedule: { alone: { code, at: ctx.now, out: true } } })
  builder.effect({ kind: 'readStock', code, from, to })
}

/** By then the broker lists it, if it has it. Where a person has to decide no list says more. */
const isToBeFound = (builder: StepBuilder, { code, status, updatedAt }: Order): boolean =>
  status === 'unknown' &&
  builder.ctx.now >= updatedAt + LISTING_LAG_MS &&
  builder.stock(code)?.blocked?.code !== 'ambiguous'

/** Books what the list of one stock shows, and settles its orders without a verdict. Of other stocks it says nothing. */
export function takeStock(builder: StepBuilder, { code, list }: Extract<AccountEvent, { kind: 'stockList' }>): void {
  const { ctx, view } = builder
  const { alone } = view.readSchedule
  const at = list === null ? ctx.now + AFTER_FAILURE_MS - MIN_ABSENCE_INTERVAL_MS : alone.at
  builder.patchView({ readSchedule: { alone: { ...alone, at, out: false } } })
  if (list === null || list.askedAt > ctx.now) return
  const listed = listedOrdersIn(builder, code, list)
  if (listed !== 'lacking')
    settleUnknown(builder, list.executions.filter(isNoChange), { ...list, provesAbsence: listed === 'shown' }, code)
  applySeen(builder, list)
}

/**
 * How it shows the orders of the stock that the broker has listed before. One that lacks any of them is not whole, whatever it
 * says; where there are none, nothing tells an empty list from a filter that finds nothing, so no order is absent from it.
 */
function listedOrdersIn(
  builder: StepBuilder,
  code: string,
  { askedAt, from, to, executions }: Omit<BrokerSnapshot, 'balance'>,
): 'shown' | 'lacking' | 'none' {
  const shown = new Set(executions.map(({ day, odno }) => orderKey(day, odno)))
  let seen: 'shown' | 'none' = 'none'
  for (const order of builder.book.orders.values()) {
    if (order.code !== code || order.odno === null || order.day < from || order.day > to) continue
    const isListed = askedAt >= order.createdAt + LISTED_WITHIN_MS && !builder.view.orders.unlisted.has(order.id)
    if (!isListed) continue
    if (!shown.has(orderKey(order.day, order.odno))) return 'lacking'
    seen = 'shown'
  }
  return seen
}
