import type { RealStart, Shadow, ShadowOrder, ShadowStock } from '@digger/contract'
import { number, won } from '../../format/won.ts'

/** How the rehearsal fills, so that nobody takes it for more than it is. */
export const RULE_TEXTS: Readonly<Record<Shadow['rule'], string>> = {
  cautious:
    '매수는 그 값에 거래되면, 매도는 그 값을 지나쳐 거래되어야 체결된 것으로 봅니다. 줄에서 몇 번째였을지는 알 수 없어 버는 쪽을 늦게 봅니다.',
  through: '매수도 매도도 그 값을 지나쳐 거래되어야 체결된 것으로 봅니다.',
  touch: '매수도 매도도 그 값에 거래되면 체결된 것으로 봅니다.',
}

/** Orders that a question lists one by one. */
const MAX_NAMED = 10

type AtOnce = RealStart['atOnce'][number]

const sideOf = ({ orderType }: Pick<AtOnce, 'orderType'>): string => (orderType === 'BUY' ? '매수' : '매도')

/** What stands in the question before a stock is traded for real. */
export function realStartText({ atOnce, atOpening }: RealStart): string {
  const kept = '설정과 실제 보유는 그대로입니다. 연습으로 산 주식은 실제가 되지 않고, 연습 주문은 끝납니다.'
  if (atOnce.length > 0) return `지금 가격으로 바로 나갈 주문 ${ordersText(atOnce)}. ${kept}`
  const later =
    atOpening.length === 0 ? '' : ` 다음 장이 열릴 때 값이 지금과 같으면 나갈 주문 ${ordersText(atOpening)}.`
  return `지금 가격으로 바로 나갈 주문은 없습니다.${later} ${kept}`
}

/** Their number first: of many, only some are named. */
function ordersText(orders: readonly AtOnce[]): string {
  const named = orders.slice(0, MAX_NAMED).map((order) => `${sideOf(order)} ${number(order.qty)}주 ${won(order.price)}`)
  const more = orders.length - named.length
  return `${orders.length}건: ${named.join(', ')}${more > 0 ? ` 외 ${more}건` : ''}`
}

type Reason = NonNullable<NonNullable<ShadowStock['rehearsed']>['reasons']>[number]

/** Of each side the one that counts: what keeps it from happening, or else why it happens. */
export const whyOf = (reasons: readonly Reason[]): Reason[] =>
  (['buy', 'sell'] as const).flatMap((side) => {
    const all = reasons.filter((reason) => reason.side === side)
    return all.find(({ ok }) => !ok) ?? all[0] ?? []
  })

/** What became of an order that was not sent. */
export function fateOf({ live, filledQty, qty, filledAmount }: ShadowOrder): string {
  if (filledQty === 0) return live ? '걸려 있었을 주문' : '체결되지 않고 끝났을 주문'
  const filled = `${won(filledAmount)}에 체결됐을 주문`
  return filledQty < qty ? `${number(filledQty)}/${number(qty)}주 ${filled}` : filled
}
