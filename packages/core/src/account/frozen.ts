import { won } from '../ladder/text.ts'
import { unsettled } from './open-move.ts'
import type { Account, Context } from './step-types.ts'
import type { BaseMove, Stock } from './types.ts'
import type { PendingSale } from './view.ts'

/** Why nothing automatic happens in the stock, for people; null: it is not frozen. Also before the fact is written. */
export function frozenText(stock: Stock, moved: BaseMove | null | undefined): string | null {
  const move = stock.frozen ?? (moved == null ? null : unsettled(stock, moved, moved.day))
  if (move === null) return null
  return `기준가가 지난 종가 ${won(move.close)}에서 ${won(move.base)}으로 바뀌어 자동 매매를 멈췄습니다. 권리락·분할·병합인지 보고 거래 화면에서 가격을 조정하거나 그대로 두세요.`
}

export const isFrozen = (stock: Stock, { quote }: Pick<Context, 'quote'>): boolean =>
  frozenText(stock, quote(stock.issue.code)?.moved) !== null

/** What a person is told who asks for something that waits until the stock is settled. */
export const SETTLE_FIRST = '기준가가 바뀐 종목입니다. 먼저 거래 화면에서 가격을 조정하거나 그대로 두도록 정해 주세요.'

/**
 * Why a sale by hand of a frozen stock waits until it is settled; null: it does not. Targets are prices of another share; where
 * the broker shows another number of shares, the lots count another share, too, and would close at its cost.
 */
export function whyFrozen(
  { view, ctx }: { readonly view: Account['view']; readonly ctx: Context },
  stock: Stock,
  how: PendingSale['how'],
): string | null {
  if (!isFrozen(stock, ctx)) return null
  if (how === 'target')
    return '기준가가 바뀌어 목표가가 맞지 않습니다. 거래 화면에서 조정하거나 그대로 두도록 먼저 정하거나, 값을 정해 팔아 주세요.'
  const differs = stock.blocked?.code === 'mismatch' || view.stocks.suspectedMismatches.has(stock.issue.code)
  return differs
    ? '기준가와 함께 증권사의 주식 수도 바뀌었습니다. 거래 화면에서 조정하거나 그대로 두도록 먼저 정한 뒤 팔아 주세요.'
    : null
}
