import type { Draft } from './draft.ts'
import { orderKey } from './ending.ts'
import { isLive } from './life.ts'
import type { Stranger, View } from './step-types.ts'
import type { Execution, Order } from './types.ts'

/**
 * Rows of the broker's list that are no order of ours: made on a phone, by another program, or ours delivered twice. A
 * fill of one that was not known makes its stock suspect: it is compared as soon as the balance can show it, and stands
 * still until then. `askedAt`: of the reading.
 */
export function noteStrangers(draft: Draft, rows: readonly Execution[], askedAt: number): void {
  const { book, view } = draft
  const ours = new Set<string>()
  const nameless: Order[] = []
  for (const order of book.orders.values()) {
    if (order.odno !== null) ours.add(orderKey(order.day, order.odno))
    else if (isLive(order.status)) nameless.push(order)
  }
  const strangers = new Map<string, Stranger>()
  const suspects = new Map([...view.suspects].filter(([code]) => book.stocks.has(code)))
  for (const row of rows) {
    // The book forgets its own ended orders of earlier days, which would look strange.
    if (row.day !== book.day) continue
    const key = orderKey(row.day, row.odno)
    // The row of an order that has no number yet: whoever settles that one decides.
    if (!book.stocks.has(row.code) || ours.has(key) || nameless.some((order) => looksLike(order, row))) continue
    const { code, odno, side, filledCount, remainingCount, cancelled } = row
    if (filledCount > (view.strangers.get(key)?.filledCount ?? 0)) suspects.set(code, askedAt)
    strangers.set(key, { code, odno, side, filledCount, remainingCount: cancelled ? 0 : remainingCount })
  }
  if (strangers.size === 0 && view.strangers.size === 0 && suspects.size === view.suspects.size) return
  const grown = [...suspects].filter(([code, since]) => since === askedAt && view.suspects.get(code) !== since)
  draft.know({ strangers, suspects })
  // Before the first comparison nobody knows which of these the book has taken in already.
  if (view.armed) for (const [code] of grown) blockStrange(draft, code)
}

/** The list alone says that the broker holds other shares than the book; the comparison gives the numbers, or lifts this. */
function blockStrange(draft: Draft, code: string): void {
  const difference = broughtIn(draft.view.strangers, code) - (draft.view.agreedStrangers.get(code) ?? 0)
  // What the last comparison said stays, unless shares are missing now that were not before.
  const blocked = draft.stock(code)?.blocked
  const said = blocked?.code === 'mismatch' && (blocked.short || difference > 0)
  if (difference === 0 || said) return
  const what = difference > 0 ? '매수' : '매도'
  const name = draft.stock(code)?.name ?? code
  const text = `${name}: 장부에 없는 ${what} 주문이 ${Math.abs(difference)}주 체결되어 매수를 멈췄습니다. 증권사 잔고와 맞춰 보는 중입니다.`
  draft.block(code, 'mismatch', text, difference < 0)
}

const looksLike = (order: Order, row: Execution): boolean =>
  order.code === row.code && order.side === row.side && order.count === row.count && order.price === row.price

/** Somebody else's orders of a stock that still rest at the broker. */
export const restingStrangers = (strangers: ReadonlyMap<string, Stranger>, code: string): Stranger[] =>
  [...strangers.values()].filter((one) => one.code === code && one.remainingCount > 0)

/** Shares of a stock that somebody else's orders brought in, those sold taken off. */
const broughtIn = (strangers: ReadonlyMap<string, Stranger>, code: string): number => {
  let shares = 0
  for (const one of strangers.values()) {
    if (one.code === code) shares += one.side === 'buy' ? one.filledCount : -one.filledCount
  }
  return shares
}

/** Book and broker agree with what strangers did so far. */
export function noteAgreed(draft: Draft, code: string): void {
  const shares = broughtIn(draft.view.strangers, code)
  if (shares === (draft.view.agreedStrangers.get(code) ?? 0)) return
  draft.know({ agreedStrangers: new Map(draft.view.agreedStrangers).set(code, shares) })
}

/** The list itself says where this difference (broker's shares less the book's) comes from: it needs no second reading. */
export const isExplained = ({ strangers, agreedStrangers }: View, code: string, difference: number): boolean =>
  difference !== 0 && broughtIn(strangers, code) - (agreedStrangers.get(code) ?? 0) === difference

/** Book and broker agree on the stock, or the difference is sure. */
export function clearSuspect(draft: Draft, code: string): void {
  if (!draft.view.suspects.has(code)) return
  draft.know({ suspects: new Map([...draft.view.suspects].filter(([one]) => one !== code)) })
}
