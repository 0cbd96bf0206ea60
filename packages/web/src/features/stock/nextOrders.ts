import type { Stock } from '@digger/contract'
import {
  fallingBuys,
  lotTarget,
  netGain,
  nextBuyPrice,
  sharesPerBuy,
  worstCase,
  type LadderBuy,
  type Settings,
} from '@digger/core'
import { number, signedWon, won } from '../../format/won.ts'
import { averageTargetOf, heldAmountOf, sellable } from './target.ts'

/** How many of the coming buys are listed. */
const AHEAD = 5
/** So much of the cap counts as all of it: the last shares wait far below. */
const NEARLY_ALL = 0.99

export interface ComingBuy extends LadderBuy {
  /** The price is that low already: bought in the next second. */
  readonly now: boolean
}

const fallOf = (stock: Stock) => ({ spent: heldAmountOf(stock), price: stock.price })

/** The next steps of the ladder if the price falls and every one of them is bought, the first at the price that is there. */
export function comingBuys(settings: Settings, stock: Stock): ComingBuy[] {
  const next = nextBuyPrice(settings, stock.kind)
  const isDue = settings.autoBuy && stock.price !== null && next !== null && stock.price <= next
  const buys: ComingBuy[] = []
  for (const buy of fallingBuys(settings, stock.kind, fallOf(stock))) {
    if (buys.length === AHEAD) break
    buys.push({ ...buy, now: isDue && buys.length === 0 && buy.price === stock.price })
  }
  return buys
}

/** What a fall without end costs at most, and how soon. */
export function worstText(settings: Settings, stock: Stock): string {
  const worst = worstCase(settings, stock.kind, fallOf(stock))
  if (worst === null) return '더 사지 않습니다.'
  const { buys, amount, shares } = worst
  return [
    `앞으로 ${number(buys)}번, ${won(amount)}어치 ${number(shares)}주를 더 삽니다.`,
    ...(spentText(settings, stock) ?? [`마지막 매수가는 ${won(worst.lastPrice)}입니다.`]),
  ].join(' ')
}

/** At which fall from the price that is there the cap is as good as used. */
function spentText(settings: Settings, stock: Stock): string[] | null {
  const cap = settings.maxBuyAmount ?? 0
  let spent = heldAmountOf(stock)
  if (stock.price === null || spent >= cap * NEARLY_ALL) return null
  for (const { price, count } of fallingBuys(settings, stock.kind, fallOf(stock))) {
    spent += price * count
    if (spent < cap * NEARLY_ALL) continue
    const fall = ((stock.price - price) / stock.price) * 100
    return [`지금 가격에서 ${fall.toFixed(1)}% 내린 ${won(price)}에서 한도의 99%를 다 씁니다.`]
  }
  return null
}

/** What is sold at which price, and what stays of it after costs. `day`: today, KST. The costs are those of KOSPI. */
export function saleText(settings: Settings, stock: Stock, day: string): string {
  const { kind } = stock
  if (settings.autoSellWithAvgPrice) {
    const { remainCount, remainAmount } = sellable(stock)
    const target = averageTargetOf(stock, settings)
    if (target === null) return '자동으로 팔 주식이 없습니다.'
    const net = netGain({ market: 'KOSPI', kind, ...between(remainAmount, target * remainCount, day) })
    return `${number(remainCount)}주를 ${won(target)}에 한 번에 팝니다. 비용을 빼고 ${signedWon(net)}이 남습니다.`
  }
  const example = stock.lastBuyPrice ?? stock.price
  if (example === null) return '기준 가격이 없습니다.'
  const target = lotTarget(example, settings, kind)
  const count = Math.max(1, sharesPerBuy(settings, example))
  const net = netGain({ market: 'KOSPI', kind, ...between(example * count, target * count, day) })
  return `${won(example)}에 산 ${number(count)}주는 ${won(target)}에 팝니다. 비용을 빼고 ${signedWon(net)}이 남습니다.`
}

const between = (buyAmount: number, sellAmount: number, day: string) => ({
  buyAmount,
  sellAmount,
  buyDay: day,
  sellDay: day,
})
