import { restoredAt, wasRestored } from './other-server-state.ts'
import type { StepBuilder } from './step-builder.ts'
import { clearStrangerFill } from './strangers.ts'
import type { Stock } from './types.ts'
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

export function holdEqual(builder: StepBuilder, { name, issue: { code }, blocked }: Stock): void {
  clearStrangerFill(builder, code)
  if (blocked?.untilCorrected === true) return
  blockUntilCorrected(builder, code, `${name}: ${EQUAL}`)
}

const EQUAL =
  '주식 수는 같지만 백업 뒤에 사고판 것이 장부에 없어 매수와 자동 매도를 멈췄습니다. 거래 내역을 확인하고 잔고를 맞춰 주세요.'

/** What was refused, or is not clear, holds back as much and needs a person already. */
export function blockUntilCorrected(builder: StepBuilder, code: string, text: string): void {
  const now = builder.stock(code)?.blocked ?? null
  if (now?.untilCorrected === true && now.text === text) return
  if (now !== null && now.code !== 'mismatch' && now.buysOnly !== true) return
  const blocked = { code: 'mismatch', short: true, text, at: builder.ctx.now, untilCorrected: true } as const
  builder.record({ kind: 'stockBlocked', code, blocked })
}

/** The person has corrected it: what somebody else traded so far is settled. */
export function noteCorrected(builder: StepBuilder, code: string): void {
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
