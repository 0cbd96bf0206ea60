import { won } from '../ladder/text.ts'
import type { Context } from './step-types.ts'
import type { BaseMove, Stock } from './types.ts'

/** Why nothing automatic happens in the stock, for people; null: it is not frozen. Also before the fact is written. */
export function frozenText({ frozen, settledOn }: Stock, moved: BaseMove | null | undefined): string | null {
  const move = frozen ?? (moved != null && (settledOn ?? '') < moved.day ? moved : null)
  if (move === null) return null
  return `기준가가 지난 종가 ${won(move.close)}에서 ${won(move.base)}으로 바뀌어 자동 매매를 멈췄습니다. 권리락·분할·병합인지 보고 거래 화면에서 가격을 조정하거나 그대로 두세요.`
}

export const isFrozen = (stock: Stock, { quote }: Pick<Context, 'quote'>): boolean =>
  frozenText(stock, quote(stock.issue.code)?.moved) !== null
