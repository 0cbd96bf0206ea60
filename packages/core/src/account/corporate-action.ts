import { remainCount } from '../ladder/buy.ts'
import { grouped } from '../ladder/text.ts'
import { adjustmentOf } from './adjustment.ts'
import { done, refused, type CommandOf } from './command-result.ts'
import { holdingCount, noteAgreement } from './compare.ts'
import { recordSale } from './book-fill.ts'
import { applyExecutions } from './ledger.ts'
import { liveOrders, type StepBuilder } from './step-builder.ts'
import type { CommandResult } from './step-types.ts'
import type { BaseMove, Stock } from './types.ts'

/**
 * Freezes a stock whose base price of the day is not the last regular close: after a split or on an ex-rights day every
 * price a person set, and every lot's, is of another share. It thaws by itself where the base turns out to be the close.
 */
export function noticeBaseMove(builder: StepBuilder, code: string): void {
  const stock = builder.stock(code)
  const moved = builder.ctx.quote(code)?.moved
  if (stock === undefined || moved === undefined) return
  if (moved === null) {
    if (stock.frozen?.day === builder.book.day)
      builder.record({ kind: 'stockThawed', code, settledOn: stock.settledOn })
    return
  }
  const isKnown = (day: string | undefined | null): boolean => day != null && day >= moved.day
  if (isKnown(stock.frozen?.day) || isKnown(stock.settledOn) || !isOfBefore(stock)) return
  builder.record({ kind: 'stockFrozen', code, move: stock.frozen === null ? moved : joined(stock.frozen, moved) })
}

/** Whether anything of the stock is a price of before, or a number of shares. */
const isOfBefore = ({ kept, lots, settings }: Stock): boolean =>
  kept > 0 || lots.length > 0 || Boolean(settings.lastBuyPrice ?? settings.maxBuyPrice ?? settings.minSellPrice)

/** Two moves that nobody has settled are one: the later day's base over both ratios. */
const joined = (before: BaseMove, { day, close, base, ratio }: BaseMove): BaseMove => ({
  day,
  close: Math.round((before.close / before.base) * close),
  base,
  ...(before.ratio === undefined || ratio === undefined ? {} : { ratio: before.ratio * ratio }),
})

/** A person settles the move they saw: prices and lots follow it, or stay. */
export function settleBaseMove(
  builder: StepBuilder,
  { code, day, held: seen, snapshot }: CommandOf<'adjustStock'>,
  stock: Stock,
): CommandResult {
  applyExecutions(builder, snapshot)
  const refusal = refuseUnlessSeen(builder, stock, day)
  if (refusal !== null) return refusal
  if (snapshot.balance === null) return refused('BUSY', '증권사 잔고를 읽지 못했습니다. 잠시 뒤 다시 해 주세요.')
  const before = builder.stock(code) ?? stock
  if (before.frozen === null) return NOT_FROZEN
  const held = holdingCount(snapshot.balance, code)
  if (held !== seen)
    return refused(
      'CONFLICT',
      `미리 본 뒤 증권사의 수량이 ${grouped(seen)}주에서 ${grouped(held)}주로 바뀌었습니다. 바뀔 값을 다시 보고 정해 주세요.`,
    )
  const { settings, lots, expected, kept } = adjustmentOf(before, before.frozen, held)
  // A lot that was worth less than one new share was paid out in cash.
  for (const lot of before.lots)
    if (!lots.some(({ id }) => id === lot.id))
      recordSale(builder, before, lot, lot.count, { sellAmount: null, soldBefore: 0, soldAt: builder.ctx.now })
  builder.record({ kind: 'stockAdjusted', code, move: before.frozen, settings, lots, expected, kept })
  const now = builder.stock(code)
  if (now !== undefined && remainCount(now.lots) + now.kept === held) noteAgreement(builder, now)
  return done
}

export function keepPrices(builder: StepBuilder, { code, day }: CommandOf<'keepStock'>, stock: Stock): CommandResult {
  const refusal = refuseUnlessSeen(builder, stock, day)
  if (refusal !== null) return refusal
  builder.record({ kind: 'stockThawed', code, settledOn: day })
  return done
}

const NOT_FROZEN = refused('CONFLICT', '조정할 것이 없습니다. 화면을 새로 고쳐 주세요.')

function refuseUnlessSeen(builder: StepBuilder, stock: Stock, day: string): CommandResult | null {
  if (stock.frozen?.day !== day) return NOT_FROZEN
  if (liveOrders(builder.book, stock.issue.code).length === 0) return null
  return refused('CONFLICT', '미체결 주문이 남아 있습니다. 취소된 뒤 다시 해 주세요.')
}
