import type { Stock, Trade } from '@digger/contract'
import type { Candle } from '../../../components/chart/candles.ts'
import type { PriceTag } from '../../../components/chart/priceLayout.ts'
import { averagePriceOf, averageTargetOf } from '../target.ts'
import { isOpen } from './trades.ts'

export interface PriceLine {
  name: string
  price: number
}

const line = (name: string, price: number | null): PriceLine[] => (price === null ? [] : [{ name, price }])

/** The ceiling, the next buy, the average, and of every open trade what it cost and where it sells. */
export function linesOf(stock: Stock, trades: readonly Trade[]): PriceLine[] {
  const open = trades.filter(isOpen)
  const all = [
    ...line('최고 매수가', stock.maxBuyPrice),
    ...line('다음 매수', stock.nextBuyPrice),
    ...line('평균', averagePriceOf(stock)),
    ...open.flatMap(({ buyPrice }) => line('매수', buyPrice)),
    ...targetsOf(stock, open).flatMap((price) => line('목표', price)),
  ]
  // Several trades at one price are one line.
  return all.filter(
    ({ name, price }, at) => all.findIndex((other) => other.name === name && other.price === price) === at,
  )
}

const targetsOf = (stock: Stock, open: readonly Trade[]): (number | null)[] =>
  stock.autoSellWithAvgPrice ? [averageTargetOf(stock, stock)] : open.map(({ targetPrice }) => targetPrice)

/** What the chart draws: the market's own price apart from what is only supposed. */
export interface ChartPrices {
  /** By which the newest candle moves; null while a price is supposed: then the market's own is not there. */
  live: number | null
  tags: PriceTag[]
}

const tag = (name: string, short: string, price: number | null, tone: PriceTag['tone'], dashed = false): PriceTag[] =>
  price === null ? [] : [{ name, short, price, tone, dashed }]

/** `simulPrice`: what somebody typed instead of the market's price; the stock carries it as its price (spec 2). */
export function chartPrices(
  stock: Stock,
  trades: readonly Trade[],
  last: Candle | undefined,
  simulPrice: number | undefined,
): ChartPrices {
  const open = trades.filter(isOpen)
  const targets = targetsOf(stock, open).filter((price) => price !== null)
  const nextSale = stock.nextSellPrice ?? (targets.length > 0 ? Math.min(...targets) : null)
  const live = simulPrice === undefined ? stock.price : null
  return {
    live,
    tags: [
      // Without a live price the newest candle's close is the market's last known one, and is called so.
      ...(live === null ? tag('종가', '종가', last?.close ?? null, 'now') : tag('현재', '현재', live, 'now')),
      ...tag('가상', '가상', simulPrice ?? null, 'plain', true),
      ...tag('다음 매수', '매수', stock.nextBuyPrice, 'buy'),
      ...tag('다음 매도', '매도', open.length === 0 ? null : nextSale, 'sell'),
      ...tag('평균', '평균', averagePriceOf(stock), 'plain'),
      ...tag('최고 매수가', '최고', stock.maxBuyPrice, 'plain'),
    ],
  }
}
