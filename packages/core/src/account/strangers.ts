import type { StepBuilder } from './step-builder.ts'
import { orderKey } from './end-order.ts'
import { isLive } from './order-status.ts'
import { noteSeen } from './seen-rows.ts'
import { isLike } from './unknown.ts'
import type { Execution, Order } from './types.ts'
import type { Account, Stranger, View } from './view.ts'

/**
 * Rows of the broker's list that are no order of ours: made on a phone, by another program, or ours delivered twice. A
 * fill of one that was not known makes its stock suspect: it is compared as soon as the balance can show it, and stands
 * still until then. Of stocks that are not in the book only what rests is kept, for people to see. `askedAt`: when the
 * reading left.
 */
export function noteStrangers(builder: StepBuilder, rows: readonly Execution[], askedAt: number): void {
  const { book, view } = builder
  const ours = new Set<string>()
  const nameless: Order[] = []
  for (const order of book.orders.values()) {
    if (order.odno !== null) ours.add(orderKey(order.day, order.odno))
    else if (isLive(order.status)) nameless.push(order)
  }
  noteSeen(builder, rows, ours)
  const strangers = new Map<string, Stranger>()
  const grown = new Set<string>()
  for (const row of rows) {
    // The book forgets its own ended orders of earlier days, which would look strange.
    if (row.day !== book.day) continue
    const key = orderKey(row.day, row.odno)
    if (ours.has(key)) continue
    // The row of an order that has no number yet: whoever settles that one decides.
    if (nameless.some((order) => isLike(order, row, view.orders.clockUncertain.has(order.id)))) continue
    const { code } = row
    const before = view.orders.strangers.get(key)
    const stranger = strangerOf(row)
    const isOfBook = book.stocks.has(code)
    const isCounted = isOfBook && stranger.replaces === null
    if (isCounted && stranger.filledCount > (before?.filledCount ?? 0)) grown.add(code)
    const isKept = isCounted || (isOfBook && stranger.filledCount > 0)
    if (isKept || stranger.remainingCount > 0) strangers.set(key, sameAs(before, stranger) ? before : stranger)
  }
  const known = view.stocks.strangerFillsSince
  const fillsSince = new Map([...known].filter(([code]) => book.stocks.has(code)))
  if (strangers.size === 0 && view.orders.strangers.size === 0 && fillsSince.size === known.size) return
  for (const code of grown) fillsSince.set(code, askedAt)
  // The very same map while nothing of it has changed: whoever shows it need not look again.
  if (!sameStrangers(view.orders.strangers, strangers)) builder.patchView({ orders: { strangers } })
  builder.patchView({ stocks: { strangerFillsSince: fillsSince } })
  // Before the first comparison nobody knows which of these the book has taken in already.
  if (view.connection.armed) for (const code of grown) blockForStrangers(builder, code)
}

const strangerOf = (row: Execution): Stranger => {
  const { day, code, name, odno, side, venue, price, count, orderedAt, filledCount, originalOdno } = row
  const remainingCount = row.cancelled ? 0 : row.remainingCount
  const replaces = originalOdno
  return { day, code, name, odno, side, venue, price, count, orderedAt, filledCount, remainingCount, replaces }
}

/** Only these change in an order at the broker. */
const sameAs = (one: Stranger | undefined, other: Stranger): one is Stranger =>
  one !== undefined && one.filledCount === other.filledCount && one.remainingCount === other.remainingCount

const sameStrangers = (one: ReadonlyMap<string, Stranger>, other: ReadonlyMap<string, Stranger>): boolean =>
  one.size === other.size && [...other].every(([key, stranger]) => one.get(key) === stranger)

/** The list alone shows that the broker holds other shares than the book; the comparison gives the numbers, or lifts this block. */
function blockForStrangers(builder: StepBuilder, code: string): void {
  const difference = newStrangerShares(builder.view, code)
  // The block of the last comparison stays, unless shares are missing now that were not before.
  const blocked = builder.stock(code)?.blocked
  const comparisonHolds = blocked?.code === 'mismatch' && (blocked.short || difference > 0)
  if (difference === 0 || comparisonHolds) return
  const [what, stopped] = difference > 0 ? ['매수', '매수를'] : ['매도', '매수와 자동 매도를']
  const name = builder.stock(code)?.name ?? code
  const text = `${name}: 장부에 없는 ${what} 주문이 ${Math.abs(difference)}주 체결되어 ${stopped} 멈췄습니다. 증권사 잔고와 맞춰 보는 중입니다.`
  builder.block(code, 'mismatch', text, difference < 0)
}

/** Somebody else's orders of a stock that still rest at the broker. */
export const restingStrangers = (strangers: ReadonlyMap<string, Stranger>, code: string): Stranger[] =>
  [...strangers.values()].filter((one) => one.code === code && one.remainingCount > 0)

/** What a person sees of them: those of today, newest first. */
export const strangersToday = ({ book, view }: Account): Stranger[] =>
  [...view.orders.strangers.values()]
    .filter(({ day, remainingCount }) => day === book.day && remainingCount > 0)
    .sort((a, b) => (b.orderedAt ?? 0) - (a.orderedAt ?? 0))

/** Shares of a stock that somebody else's orders brought in, those sold taken off. */
const netStrangerShares = (strangers: ReadonlyMap<string, Stranger>, code: string): number => {
  let shares = 0
  for (const one of strangers.values()) {
    if (one.code === code && one.replaces === null) shares += one.side === 'buy' ? one.filledCount : -one.filledCount
  }
  return shares
}

/** Book and broker agree with what strangers did so far. */
export function noteAgreedStrangers(builder: StepBuilder, code: string): void {
  const shares = netStrangerShares(builder.view.orders.strangers, code)
  if (shares === (builder.view.stocks.agreedStrangers.get(code) ?? 0)) return
  builder.patchView({ stocks: { agreedStrangers: new Map(builder.view.stocks.agreedStrangers).set(code, shares) } })
}

/** Of today, and since book and broker last agreed. */
export const newStrangerShares = ({ orders, stocks }: View, code: string): number =>
  netStrangerShares(orders.strangers, code) - (stocks.agreedStrangers.get(code) ?? 0)

/** The list itself shows where this difference (broker's shares less the book's) comes from: it needs no second reading. */
export const isExplained = (view: View, code: string, difference: number): boolean =>
  difference !== 0 && newStrangerShares(view, code) === difference

/** Shares of an order that was changed outside: they may be counted with it or with the one before it. */
export const hasChangedFill = ({ orders }: View, code: string): boolean =>
  [...orders.strangers.values()].some((one) => one.code === code && one.replaces !== null && one.filledCount > 0)

/** Book and broker agree on the stock, or the difference is sure. */
export function clearStrangerFill(builder: StepBuilder, code: string): void {
  if (!builder.view.stocks.strangerFillsSince.has(code)) return
  builder.patchView({
    stocks: {
      strangerFillsSince: new Map([...builder.view.stocks.strangerFillsSince].filter(([one]) => one !== code)),
    },
  })
}
