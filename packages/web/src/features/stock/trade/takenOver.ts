import type { Stock, Trade } from '@digger/contract'
import { averageTarget } from '@digger/core'
import { number, won } from '../../../format/won.ts'
import type { StopState } from '../../../stops/stops.ts'
import { isOpen } from './trades.ts'

export const sharesIn = (trades: readonly Trade[]): number => trades.reduce((sum, { buyCount }) => sum + buyCount, 0)

/** What follows when Digger may sell these trades: some of them at once, where their target is below the market. */
export function releaseText(
  stock: Stock,
  trades: readonly Trade[],
  ids: readonly number[],
  account: StopState,
): string {
  if (stock.frozen) return '기준가가 바뀌어 멈춘 종목이라, 조정할지 정한 뒤부터 팝니다.'
  const outcome = stock.autoSellWithAvgPrice ? wholeText(stock, trades, ids) : eachText(stock, trades, ids)
  if (!stock.autoSell) return `${outcome} 다만 자동 매도가 꺼져 있어, 켠 뒤에 그렇게 합니다.`
  if (stock.stop === 'halt' || account === 'halt') {
    const what = account === 'halt' ? '주문이' : '이 종목은'
    return `${outcome} 다만 ${what} 모두 멈춤이라, 푼 뒤에 그렇게 합니다.`
  }
  return `${outcome} 장이 열려 있지 않으면 열릴 때 그렇게 합니다.`
}

const UNKNOWN = '지금 가격을 몰라 바로 팔릴지 알 수 없습니다. 목표가가 지금 가격보다 높지 않으면 바로 팔립니다.'

/** Every trade has a target of its own. */
function eachText({ price }: Stock, trades: readonly Trade[], ids: readonly number[]): string {
  if (price === null) return UNKNOWN
  const released = trades.filter(({ id }) => ids.includes(id))
  const atOnce = released.filter(({ targetPrice }) => targetPrice !== null && targetPrice <= price)
  if (atOnce.length === 0) return `목표가가 지금 가격 ${won(price)}보다 높아, 목표가에 매도 주문을 걸어 둡니다.`
  const sold = `${number(sharesIn(atOnce))}주는 목표가가 지금 가격 ${won(price)}보다 높지 않아 바로 팔립니다.`
  const rest = released.length - atOnce.length
  return rest === 0 ? sold : `${sold} 나머지 ${number(rest)}건은 목표가에 매도 주문을 걸어 둡니다.`
}

/** One target for all that Digger may sell: those released join the others, and the target moves with them. */
function wholeText(stock: Stock, trades: readonly Trade[], ids: readonly number[]): string {
  const { price } = stock
  if (price === null) return UNKNOWN
  const joined = trades.filter(
    (trade) => isOpen(trade) && !trade.buying && (!trade.takenOver || ids.includes(trade.id)),
  )
  const lots = joined.map(({ id, buyCount: count, buyPrice }) => ({
    id,
    count,
    buyPrice,
    buyAmount: count * buyPrice,
    boughtAt: 0,
  }))
  const target = averageTarget(lots, stock, stock.kind)
  if (target === null || target > price)
    return `모두 합친 목표가 ${won(target)}이 지금 가격 ${won(price)}보다 높아, 그 가격에 매도 주문을 걸어 둡니다.`
  return `모두 합친 목표가 ${won(target)}이 지금 가격 ${won(price)}보다 높지 않아, ${number(sharesIn(joined))}주가 바로 팔립니다.`
}
