import type { Context } from './step-types.ts'
import type { Stock } from './types.ts'

/** Nothing of the stock is sent: by its own switch, or because the whole server only rehearses. */
export const isShadowed = ({ shadow }: Pick<Stock, 'shadow'>, ctx: { readonly shadow?: boolean }): boolean =>
  ctx.shadow === true || shadow

/** The first check of the gate: whoever asks, and whatever for. */
export function refuseShadowed({ ctx, stock }: { readonly ctx: Context; readonly stock: Stock }): string | null {
  if (ctx.shadow === true) return '서버 전체가 그림자(연습)로 켜져 있어 주문을 보내지 않습니다.'
  return stock.shadow
    ? '그림자(연습) 종목이라 주문을 보내지 않습니다. 거래 화면에서 ‘실제로 거래’로 바꾸면 보냅니다.'
    : null
}
