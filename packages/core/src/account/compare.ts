import { remainCount } from '../ladder/buy.ts'
import type { StepBuilder } from './step-builder.ts'
import { MAX_REJECTS } from './end-order.ts'
import { receiveExpected, sharesToCome } from './expected-shares.ts'
import { hasNoVerdict, isLive } from './order-status.ts'
import { blockUntilCorrected, holdEqual, isOfRestored, isToBeCorrected, numbersText } from './restored-stock.ts'
import { comparedAt } from './schedule.ts'
import { takeSellsBack } from './own-shares.ts'
import { clearStrangerFill, hasChangedFill, isExplained, newStrangerShares, noteAgreedStrangers } from './strangers.ts'
import type { BrokerSnapshot } from './step-types.ts'
import type { BrokerBalance, Difference, Execution, Holding, Stock } from './types.ts'

/** The balance lags fills (0–5 s measured); right after one a difference proves nothing, ms. */
const FILL_LAG_MS = 10_000
/** A difference is believed when a reading at least this much later shows it again, ms: twice the lag of list or balance. */
const CONFIRM_MISMATCH_MS = 10_000

/** Shares at the broker that belong to the book: without those the person keeps. Below 0 where even of these some are missing. */
export const brokerCount = (balance: BrokerBalance, { issue, kept }: Stock): number =>
  holdingCount(balance, issue.code) - kept

/** All shares of the stock at the broker. */
export const holdingCount = (balance: BrokerBalance, code: string): number => holdingOf(balance, code)?.count ?? 0

const holdingOf = ({ holdings }: BrokerBalance, wanted: string): Holding | undefined =>
  holdings.find(({ code }) => code === wanted)

/**
 * Holds the book against the broker's holdings. A difference is first suspected (no buys), the second reading
 * that shows it blocks the stock; agreement clears both. Stocks with a fill just now, or while the holdings were read, are left for
 * the next reading: a lively account would never be compared otherwise.
 */
export function compare(builder: StepBuilder, snapshot: BrokerSnapshot): void {
  const { balance, askedAt, moved = [] } = snapshot
  if (balance === null) return
  builder.patchView({ readSchedule: { lastBalanceAt: builder.ctx.now } })
  const skipped: Stock[] = []
  const doubted: Stock[] = []
  for (const stock of builder.book.stocks.values()) {
    const { code } = stock.issue
    const book = remainCount(stock.lots)
    const broker = brokerCount(balance, stock)
    const waits = isUnsettled(builder, code, askedAt) && !isStrangerFill(builder, code, askedAt, broker - book)
    if (moved.includes(code) || waits) {
      skipped.push(stock)
      continue
    }
    if (book === broker && isToBeCorrected(builder, stock)) holdEqual(builder, stock, holdingOf(balance, code))
    else if (book === broker) noteAgreement(builder, stock)
    else suspectMismatch(builder, stock, { book, broker, at: askedAt, holding: holdingOf(balance, code) })
    if (builder.view.stocks.suspectedMismatches.has(code)) doubted.push(stock)
  }
  // A reading from before the link was lost does not show what happened since.
  if (askedAt < builder.view.connection.linkedAt) return
  builder.patchView({
    connection: { armed: true },
    readSchedule: { lastComparedAt: comparedAt(builder.ctx.now, skipped.length === 0) },
    stocks: { uncompared: stillUncompared(builder, [...skipped, ...doubted]) },
  })
}

/**
 * The account goes on without the stocks that were left out, or showed a difference once. Where some of the shares are the
 * person's, the book may have those, or get them with a fill that only the balance shows yet: nothing automatic before that one
 * stock was compared, too.
 */
function stillUncompared({ view }: StepBuilder, undecided: readonly Stock[]): ReadonlySet<string> {
  const { connection, stocks } = view
  const still = undecided.filter(
    ({ kept, issue }) => stocks.uncompared.has(issue.code) || (!connection.armed && kept > 0),
  )
  if (still.length === 0 && stocks.uncompared.size === 0) return stocks.uncompared
  return new Set(still.map(({ issue }) => issue.code))
}

/** True when the difference is exactly somebody else's recent fill, which the balance shows already. */
const isStrangerFill = (builder: StepBuilder, code: string, askedAt: number, difference: number): boolean =>
  !isOursUnsettled(builder, code, askedAt) && isExplained(builder.view, code, difference)

/** Balance and list do not show the same instant yet: an order without a verdict, or a recent fill, whoever's. */
export function isUnsettled(builder: StepBuilder, code: string, askedAt: number): boolean {
  const strangeSince = builder.view.stocks.strangerFillsSince.get(code) ?? Number.NEGATIVE_INFINITY
  return askedAt < strangeSince + FILL_LAG_MS || isOursUnsettled(builder, code, askedAt)
}

function isOursUnsettled(builder: StepBuilder, code: string, askedAt: number): boolean {
  for (const order of builder.book.orders.values()) {
    if (order.code !== code) continue
    if (hasNoVerdict(order.status)) return true
    if (order.filledCount > 0 && order.updatedAt > askedAt - FILL_LAG_MS) return true
    // A notice reported a fill that the list does not show yet.
    if (order.odno !== null && (builder.view.orders.noticedFills.get(order.odno) ?? 0) > order.filledCount) return true
  }
  return false
}

export function noteAgreement(builder: StepBuilder, { issue: { code } }: Stock): void {
  noteAgreedStrangers(builder, code)
  clearStrangerFill(builder, code)
  forgetSuspectedMismatch(builder, code)
  const { blocked, rejects } = builder.stock(code) ?? { blocked: null, rejects: 0 }
  // It may have taken the place of a stop of the buys: what was refused so far is forgotten by no agreement about shares.
  if (blocked?.code === 'mismatch')
    builder.record({ kind: 'stockBlocked', code, blocked: null, rejects: Math.min(rejects, MAX_REJECTS - 1) })
}

export function forgetSuspectedMismatch(builder: StepBuilder, code: string): void {
  if (!builder.view.stocks.suspectedMismatches.has(code)) return
  const suspectedMismatches = new Map(builder.view.stocks.suspectedMismatches)
  suspectedMismatches.delete(code)
  builder.patchView({ stocks: { suspectedMismatches } })
}

interface Seen {
  readonly book: number
  readonly broker: number
  readonly at: number
}

function suspectMismatch(
  builder: StepBuilder,
  stock: Stock,
  { holding, ...seen }: Seen & { readonly holding: Holding | undefined },
): void {
  const { code } = stock.issue
  const before = builder.view.stocks.suspectedMismatches.get(code)
  const again = before !== undefined && before.book === seen.book && before.broker === seen.broker
  const sure =
    (again && seen.at - before.at >= CONFIRM_MISMATCH_MS) || isExplained(builder.view, code, seen.broker - seen.book)
  if (sure) {
    if (isExpected(builder, stock, seen)) {
      receiveExpected(builder, stock, seen.broker - seen.book, false)
      return noteAgreement(builder, builder.stock(code) ?? stock)
    }
    clearStrangerFill(builder, code)
    const short = seen.broker < seen.book || isOfRestored(builder, stock)
    const text = mismatchText(stock, seen.book, seen.broker, short)
    if (isOfRestored(builder, stock)) blockUntilCorrected(builder, code, `${text}${numbersText(stock, holding)}`)
    else builder.block(code, 'mismatch', text, short)
    // Without shares of the person's the broker lets nobody offer more than there are.
    if (stock.kept > 0 && seen.broker < seen.book) takeSellsBack(builder, code)
    if (builder.stock(code)?.blocked?.code === 'mismatch') forgetSuspectedMismatch(builder, code)
    return
  }
  if (!again)
    builder.patchView({
      stocks: { suspectedMismatches: new Map(builder.view.stocks.suspectedMismatches).set(code, seen) },
    })
}

/**
 * Exactly the shares that its person learned of when they adjusted the stock have come. Where somebody bought shares outside
 * the book, or the stock is to be settled once more, a person looks at it; also when they only come to it on another day. After a
 * restart nobody knows how many of today's strangers' shares are in the book.
 */
const isExpected = (
  { view }: StepBuilder,
  { blocked, expected, frozen, issue }: Stock,
  { book, broker }: { readonly book: number; readonly broker: number },
): boolean =>
  frozen === null &&
  blocked?.code !== 'mismatch' &&
  expected !== null &&
  broker - book === sharesToCome(expected) &&
  newStrangerShares(view, issue.code) === 0 &&
  !hasChangedFill(view, issue.code)

/** Stocks whose difference an earlier reading has shown already. */
export function confirmedDifferences(builder: StepBuilder, { askedAt, balance }: BrokerSnapshot): Set<string> {
  const confirmed = new Set<string>()
  if (balance === null) return confirmed
  for (const stock of builder.book.stocks.values()) {
    const { code } = stock.issue
    const before = builder.view.stocks.suspectedMismatches.get(code)
    const same = before?.book === remainCount(stock.lots) && before.broker === brokerCount(balance, stock)
    // A block set from the list alone, or because of a day that nobody saw, is no evidence about the balance.
    const isCounted = stock.blocked?.code === 'mismatch' && stock.blocked.equal !== true
    const isBlocked = isCounted && !builder.view.stocks.strangerFillsSince.has(code)
    if (isBlocked || (same && askedAt - before.at >= CONFIRM_MISMATCH_MS)) confirmed.add(code)
  }
  return confirmed
}

function mismatchText({ name, expected, kept }: Stock, book: number, broker: number, short = broker < book): string {
  const withoutOwn = broker < 0 ? `${kept}주보다 적음` : `${kept}주를 빼면 ${broker}주`
  const held = kept === 0 ? `${broker}주` : `${broker + kept}주(직접 관리하는 ${withoutOwn})`
  const stopped = short ? '매수와 자동 매도를' : '매수를'
  const counts = `${name}: 장부 ${book}주, 증권사 ${held}로 서로 달라 ${stopped} 멈췄습니다.`
  if (kept > 0 && broker < book)
    return `${counts} 직접 관리하는 주식을 팔았으면 그 수량을 고쳐 주세요. 아니면 이 종목의 잔고를 맞춰 주세요.`
  if (expected === null || broker <= book || broker - book > sharesToCome(expected))
    return `${counts} 잔고 확인 뒤 맞춰 주세요.`
  return `${counts} 권리락 때 받기로 한 주식이 들어온 것으로 보입니다. 잔고를 맞추면 그 값으로 장부에 넣습니다.`
}

/** What a person sees after a check: shares that differ, and live orders one side does not know. */
export function differences(builder: StepBuilder, snapshot: BrokerSnapshot, code: string | null): Difference[] {
  const stocks = [...builder.book.stocks.values()].filter((stock) => code === null || stock.issue.code === code)
  return stocks.flatMap((stock) => [...shareDifference(stock, snapshot), ...orderDifferences(builder, stock, snapshot)])
}

function shareDifference(stock: Stock, { balance }: BrokerSnapshot): Difference[] {
  if (balance === null) return []
  const book = remainCount(stock.lots)
  const broker = brokerCount(balance, stock)
  if (book === broker) return []
  return [{ code: stock.issue.code, what: 'shares', book, broker, text: mismatchText(stock, book, broker) }]
}

function orderDifferences(builder: StepBuilder, stock: Stock, snapshot: BrokerSnapshot): Difference[] {
  const { code } = stock.issue
  const open = snapshot.executions.filter((row) => row.code === code && isOpenRow(row))
  const ours = [...builder.book.orders.values()].filter((order) => order.code === code && isLive(order.status))
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
      text: `${stock.name}: 장부에 없는 미체결 주문 ${row.odno}번(${row.remainingCount}주)이 증권사에 있습니다.`,
    })),
    ...missing.map((order): Difference => ({
      code,
      what: 'order',
      book: order.count - order.filledCount,
      broker: 0,
      text: `${stock.name}: ${order.odno}번 주문이 증권사 목록에 아직 없습니다.`,
    })),
  ]
}

const isOpenRow = (row: Execution): boolean => row.originalOdno === null && !row.cancelled && row.remainingCount > 0
