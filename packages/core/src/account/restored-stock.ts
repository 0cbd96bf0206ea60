import { remainAmount, remainCount } from '../ladder/buy.ts'
import { grouped, won } from '../ladder/text.ts'
import { restoredAt, wasRestored } from './other-server-state.ts'
import { liveOrders, type StepBuilder } from './step-builder.ts'
import { clearStrangerFill } from './strangers.ts'
import type { Holding, Stock } from './types.ts'
import type { View } from './view.ts'

/*
 * A stock of a book that was put back from a backup. Where as many shares were bought as were sold since, their number says nothing: the
 * book names lots that are gone at prices of before. Until a person corrects it, nothing automatic leaves.
 */

/** Whether the person has to look at it although the shares are as many. */
export function isToBeCorrected({ book, view }: StepBuilder, { issue: { code }, blocked }: Stock): boolean {
  if (blocked?.untilCorrected === true) return true
  if (restoredAt(book.otherServer) === null) return false
  return strangeFills(view, code) > (view.stocks.correctedStrangers.get(code) ?? 0)
}

/** Whether a difference of this book is one that only a person ends. */
export const isOfRestored = ({ book: { otherServer } }: StepBuilder, { blocked }: Stock): boolean =>
  restoredAt(otherServer) !== null || wasRestored(otherServer) || blocked?.untilCorrected === true

export function holdEqual(builder: StepBuilder, stock: Stock, holding: Holding | undefined): void {
  const { name, issue, blocked } = stock
  clearStrangerFill(builder, issue.code)
  // The numbers of a difference that is over by now stay: they say what a person has to look for.
  if (blocked?.untilCorrected === true && blocked.equal !== true) return
  blockUntilCorrected(builder, issue.code, `${name}: ${EQUAL}${numbersText(stock, holding)}`, true)
}

const EQUAL =
  '주식 수는 같지만 백업 뒤에 사고판 것이 장부에 없을 수 있어 매수와 자동 매도를 멈췄습니다. 거래 내역을 확인하고 잔고를 맞춰 주세요.'

const UNSEEN =
  '백업한 날의 주문을 증권사의 오늘 목록에서 볼 수 없어 매수와 자동 매도를 멈췄습니다. 잔고를 확인하고 맞춰 주세요.'

/** What both say that a share cost, for whoever compares them; empty where one of them has none. */
export function numbersText({ lots }: Stock, holding: Holding | undefined): string {
  const count = remainCount(lots)
  if (holding === undefined || count === 0) return ''
  const ours = `장부 ${grouped(count)}주 평균 ${won(Math.round(remainAmount(lots) / count))}`
  return ` (${ours}, 증권사 ${grouped(holding.count)}주 평균 ${won(Math.round(holding.averagePrice))})`
}

/** The broker's average may have been rounded, or hold the fee of the buys, as a share. */
const SAME_AVERAGE = 1.001

/**
 * Whether the shares cost more than the book knows: it would offer them for less. Where the book has the dearer ones it is as it should:
 * the broker takes the average off with each sale, the ladder sells what it bought cheapest.
 */
export const costsMore = ({ lots, kept }: Stock, holding: Holding | undefined): boolean =>
  kept === 0 && holding !== undefined && holding.averagePrice * remainCount(lots) > remainAmount(lots) * SAME_AVERAGE

/**
 * The broker lists the orders of the book's day, and another one begins: what was sold and bought again on the day of the backup, or on
 * days after it, nothing will show.
 */
export function doubtHoldings(builder: StepBuilder): void {
  for (const { issue, name, lots } of builder.book.stocks.values())
    if (lots.length > 0 || liveOrders(builder.book, issue.code).length > 0)
      blockUntilCorrected(builder, issue.code, `${name}: ${UNSEEN}`, true)
}

/** Its person goes on: what no reading has compared yet because of an order on its way is looked at all the same. */
export function doubtTraded(builder: StepBuilder): void {
  for (const stock of builder.book.stocks.values())
    if (stock.blocked?.untilCorrected !== true && isToBeCorrected(builder, stock))
      blockUntilCorrected(builder, stock.issue.code, `${stock.name}: ${EQUAL}`, true)
}

/** What was refused, or is not clear, holds back as much and needs a person already: the question comes after it. */
export function blockUntilCorrected(builder: StepBuilder, code: string, text: string, equal = false): void {
  const now = builder.stock(code)?.blocked ?? null
  const isDoubt = now !== null && now.code !== 'mismatch' && now.buysOnly !== true
  if (now?.untilCorrected === true && (isDoubt || now.text === text)) return
  const at = now?.untilCorrected === true ? now.at : builder.ctx.now
  const blocked = isDoubt
    ? ({ ...now, untilCorrected: true } as const)
    : ({ code: 'mismatch', short: true, text, at, untilCorrected: true, ...(equal && { equal }) } as const)
  builder.record({ kind: 'stockBlocked', code, blocked })
}

/** Whatever else stopped the stock is over; what its person has to correct is not. `rejects`: counted on from there. */
export function endStop(builder: StepBuilder, { name, issue: { code }, blocked }: Stock, rejects?: number): void {
  const counted = rejects === undefined ? {} : { rejects }
  builder.record({ kind: 'stockBlocked', code, blocked: null, ...counted })
  if (blocked?.untilCorrected === true) blockUntilCorrected(builder, code, `${name}: ${UNSEEN}`, true)
}

/** The person has corrected it: what somebody else traded so far is settled. */
export function noteCorrected(builder: StepBuilder, code: string): void {
  const stop = builder.stock(code)?.blocked ?? null
  if (stop?.untilCorrected === true && stop.code !== 'mismatch') {
    const { untilCorrected: _, ...blocked } = stop
    builder.record({ kind: 'stockBlocked', code, blocked })
  }
  if (restoredAt(builder.book.otherServer) === null) return
  const correctedStrangers = new Map(builder.view.stocks.correctedStrangers)
  builder.patchView({ stocks: { correctedStrangers: correctedStrangers.set(code, strangeFills(builder.view, code)) } })
}

/** Shares that orders of somebody else bought and sold today, together. */
function strangeFills({ orders }: View, code: string): number {
  let shares = 0
  for (const one of orders.strangers.values()) if (one.code === code) shares += one.filledCount
  return shares
}
