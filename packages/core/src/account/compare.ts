import { remainCount } from '../ladder/buy.ts'
import type { Draft } from './draft.ts'
import { isLive } from './life.ts'
import { comparedAt } from './schedule.ts'
import { clearSuspect, isExplained, noteAgreed } from './strangers.ts'
import type { Reading } from './step-types.ts'
import type { BrokerBalance, Difference, Execution, Stock } from './types.ts'

/** The balance lags fills (0–5 s measured); right after one a difference says nothing, ms. */
const FILL_LAG_MS = 10_000
/** A difference is believed when a reading at least this much later shows it again, ms: twice the lag of list or balance. */
const DOUBT_MS = 10_000

const brokerCount = (balance: BrokerBalance, code: string): number =>
  balance.holdings.find((holding) => holding.code === code)?.count ?? 0

/**
 * Holds the book against the broker's holdings. A difference first raises a doubt (no buys), the second reading makes
 * it a block with words; agreement clears both. Stocks with a fill just now are left for the next reading.
 */
export function compare(draft: Draft, reading: Reading): void {
  const { balance, askedAt } = reading
  if (balance === null) return
  draft.know({ lastBalanceAt: draft.ctx.now })
  let complete = true
  for (const stock of draft.book.stocks.values()) {
    const { code } = stock.issue
    const book = remainCount(stock.lots)
    const broker = brokerCount(balance, code)
    if (isUnsettled(draft, code, askedAt) && !isStrange(draft, code, askedAt, broker - book)) {
      complete = false
      continue
    }
    if (book === broker) agree(draft, stock)
    else doubt(draft, stock, { book, broker, at: askedAt })
  }
  // A reading from before the link was lost says nothing about what happened since.
  if (askedAt < draft.view.linkedAt) return
  draft.know({ armed: true, lastComparedAt: comparedAt(draft.ctx.now, complete) })
}

/** Somebody else's fill of just now, and the balance shows exactly that already. */
const isStrange = (draft: Draft, code: string, askedAt: number, difference: number): boolean =>
  !isOursUnsettled(draft, code, askedAt) && isExplained(draft.view, code, difference)

/** Balance and list do not tell the same instant yet: an order without a verdict, or a fill just now, whoever's. */
export function isUnsettled(draft: Draft, code: string, askedAt: number): boolean {
  const strangeSince = draft.view.suspects.get(code) ?? Number.NEGATIVE_INFINITY
  return askedAt < strangeSince + FILL_LAG_MS || isOursUnsettled(draft, code, askedAt)
}

function isOursUnsettled(draft: Draft, code: string, askedAt: number): boolean {
  for (const order of draft.book.orders.values()) {
    if (order.code !== code) continue
    if (order.status === 'unknown' || order.status === 'intended') return true
    if (order.filledCount > 0 && order.updatedAt > askedAt - FILL_LAG_MS) return true
    // A notice told of a fill that the list does not show yet.
    if (order.odno !== null && (draft.view.heard.get(order.odno) ?? 0) > order.filledCount) return true
  }
  return false
}

export function agree(draft: Draft, { issue: { code } }: Stock): void {
  noteAgreed(draft, code)
  clearSuspect(draft, code)
  forgetDoubt(draft, code)
  if (draft.stock(code)?.blocked?.code === 'mismatch') draft.record({ kind: 'stockBlocked', code, blocked: null })
}

function forgetDoubt(draft: Draft, code: string): void {
  if (!draft.view.doubts.has(code)) return
  const doubts = new Map(draft.view.doubts)
  doubts.delete(code)
  draft.know({ doubts })
}

function doubt(draft: Draft, stock: Stock, seen: { book: number; broker: number; at: number }): void {
  const { code } = stock.issue
  const before = draft.view.doubts.get(code)
  const again = before !== undefined && before.book === seen.book && before.broker === seen.broker
  const sure = (again && seen.at - before.at >= DOUBT_MS) || isExplained(draft.view, code, seen.broker - seen.book)
  if (sure) {
    clearSuspect(draft, code)
    draft.block(code, 'mismatch', mismatchText(stock, seen.book, seen.broker), seen.broker < seen.book)
    if (draft.stock(code)?.blocked?.code === 'mismatch') forgetDoubt(draft, code)
    return
  }
  if (!again) draft.know({ doubts: new Map(draft.view.doubts).set(code, seen) })
}

/** Stocks whose difference an earlier reading has shown already. */
export function confirmedDifferences(draft: Draft, { askedAt, balance }: Reading): Set<string> {
  const confirmed = new Set<string>()
  if (balance === null) return confirmed
  for (const stock of draft.book.stocks.values()) {
    const { code } = stock.issue
    const before = draft.view.doubts.get(code)
    const same = before?.book === remainCount(stock.lots) && before.broker === brokerCount(balance, code)
    // One that the list alone has set says nothing of the balance.
    const said = stock.blocked?.code === 'mismatch' && !draft.view.suspects.has(code)
    if (said || (same && askedAt - before.at >= DOUBT_MS)) confirmed.add(code)
  }
  return confirmed
}

const mismatchText = (stock: Stock, book: number, broker: number): string =>
  `${stock.name}: 장부 ${book}주, 증권사 ${broker}주로 서로 달라 매수를 멈췄습니다. 잔고 확인 뒤 맞춰 주세요.`

/** What a person sees after a check: shares that differ, and live orders one side does not know. */
export function differences(draft: Draft, reading: Reading, code: string | null): Difference[] {
  const stocks = [...draft.book.stocks.values()].filter((stock) => code === null || stock.issue.code === code)
  return stocks.flatMap((stock) => [...shareDifference(stock, reading), ...orderDifferences(draft, stock, reading)])
}

function shareDifference(stock: Stock, { balance }: Reading): Difference[] {
  if (balance === null) return []
  const book = remainCount(stock.lots)
  const broker = brokerCount(balance, stock.issue.code)
  if (book === broker) return []
  return [{ code: stock.issue.code, what: 'shares', book, broker, text: mismatchText(stock, book, broker) }]
}

function orderDifferences(draft: Draft, stock: Stock, reading: Reading): Difference[] {
  const { code } = stock.issue
  const open = reading.executions.filter((row) => row.code === code && isOpenRow(row))
  const ours = [...draft.book.orders.values()].filter((order) => order.code === code && isLive(order.status))
  const known = new Set(ours.map((order) => order.odno))
  const listed = new Set(open.map((row) => row.odno))
  const strangers = open.filter((row) => !known.has(row.odno))
  const missing = ours.filter((order) => order.odno !== null && !listed.has(order.odno))
  return [
    ...strangers.map((row): Difference => ({
      code,
      what: 'order',
      book: 0,
      broker: row.remainingCount,
      text: `${stock.name}: 장부에 없는 미체결 주문 ${row.odno} (${row.remainingCount}주)이 증권사에 있습니다.`,
    })),
    ...missing.map((order): Difference => ({
      code,
      what: 'order',
      book: order.count - order.filledCount,
      broker: 0,
      text: `${stock.name}: 주문 ${order.odno}이 증권사 목록에 아직 없습니다.`,
    })),
  ]
}

const isOpenRow = (row: Execution): boolean => row.originalOdno === null && !row.cancelled && row.remainingCount > 0
