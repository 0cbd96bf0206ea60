import { remainCount } from '../ladder/buy.ts'
import { grouped } from '../ladder/text.ts'
import { adjustmentOf } from './adjustment.ts'
import { done, refused, type CommandOf } from './command-result.ts'
import { holdingCount, isUnsettled, noteAgreement } from './compare.ts'
import { recordSale } from './book-fill.ts'
import { applyExecutions } from './ledger.ts'
import { openMove, settledMoves } from './open-move.ts'
import { liveOrders, type StepBuilder } from './step-builder.ts'
import type { BrokerSnapshot, CommandResult } from './step-types.ts'
import type { Stock } from './types.ts'

/**
 * Freezes a stock whose base price of the day is not the last regular close: after a split or on an ex-rights day every
 * price a person set, and every lot's, is of another share. It thaws by itself where the base turns out to be the close.
 */
export function noticeBaseMove(builder: StepBuilder, code: string): void {
  const stock = builder.stock(code)
  const moved = builder.ctx.quote(code)?.moved
  if (stock === undefined || moved === undefined) return
  const next = openMove(stock, moved, builder.book.day)
  if (next === undefined) return
  const { move, moves } = next
  if (move === null) builder.record({ kind: 'stockThawed', code, settledOn: stock.settledOn, moves })
  else builder.record({ kind: 'stockFrozen', code, move, moves })
}

/** A person settles the move they saw: prices and lots follow it, or stay. */
export function settleBaseMove(
  builder: StepBuilder,
  { code, day, base, version, held: seen, snapshot }: CommandOf<'adjustStock'>,
  stock: Stock,
): CommandResult {
  applyExecutions(builder, snapshot)
  const refusal = refuseUnlessSeen(builder, builder.stock(code) ?? stock, { day, base, version })
  if (refusal !== null) return refusal
  const held = heldNow(builder, code, snapshot)
  if (typeof held !== 'number') return held
  const before = builder.stock(code) ?? stock
  if (before.frozen === null) return NOT_FROZEN
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
  const moves = settledMoves(before, true)
  builder.record({ kind: 'stockAdjusted', code, move: before.frozen, settings, lots, expected, kept, moves })
  const now = builder.stock(code)
  if (now !== undefined && remainCount(now.lots) + now.kept === held) noteAgreement(builder, now)
  return done
}

export function keepPrices(
  builder: StepBuilder,
  { code, day, base }: CommandOf<'keepStock'>,
  stock: Stock,
): CommandResult {
  const refusal = refuseUnlessSeen(builder, stock, { day, base })
  if (refusal !== null) return refusal
  builder.record({ kind: 'stockThawed', code, settledOn: day, moves: settledMoves(stock, false) })
  return done
}

/** Shares at the broker, or why a reading made for a person does not tell them. */
export function heldNow(
  builder: StepBuilder,
  code: string,
  { askedAt, balance }: BrokerSnapshot,
): number | CommandResult {
  // The balance lags fills: what was sold a moment ago it may still show, and that is no new number of shares.
  if (isUnsettled(builder, code, askedAt))
    return refused('BUSY', '방금 체결된 주문이 잔고에 아직 반영되지 않았을 수 있습니다. 10초 뒤 다시 해 주세요.')
  if (balance === null) return refused('BUSY', '증권사 잔고를 읽지 못했습니다. 잠시 뒤 다시 해 주세요.')
  return holdingCount(balance, code)
}

/** What a sale that a person has asked for will be sold at is made already. */
export const whileSaleWaits = ({ view }: StepBuilder, code: string): CommandResult | null =>
  view.orders.pendingSales.some((pending) => pending.code === code)
    ? refused('BUSY', '요청하신 매도를 처리하고 있습니다. 끝난 뒤 다시 해 주세요.')
    : null

const NOT_FROZEN = refused('CONFLICT', '조정할 것이 없습니다. 화면을 새로 고쳐 주세요.')

const CHANGED_SINCE = refused('CONFLICT', '미리 본 뒤 기준가나 설정이 바뀌었습니다. 바뀔 값을 다시 보고 정해 주세요.')

interface Seen {
  readonly day: string
  readonly base?: number | undefined
  readonly version?: number | undefined
}

function refuseUnlessSeen(builder: StepBuilder, stock: Stock, seen: Seen): CommandResult | null {
  if (stock.frozen?.day !== seen.day) return NOT_FROZEN
  if ((seen.base ?? stock.frozen.base) !== stock.frozen.base || (seen.version ?? stock.version) !== stock.version)
    return CHANGED_SINCE
  const { code } = stock.issue
  const waits = whileSaleWaits(builder, code)
  if (waits !== null) return waits
  if (liveOrders(builder.book, code).length === 0) return null
  return refused('CONFLICT', '미체결 주문이 남아 있습니다. 취소된 뒤 다시 해 주세요.')
}
