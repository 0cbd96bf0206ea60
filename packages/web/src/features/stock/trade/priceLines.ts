import type { Stock, Trade } from '@digger/contract'
import type { PriceLine } from '../../../components/chart/candles.ts'
import { averagePriceOf, averageTargetOf } from '../target.ts'
import { isOpen } from './trades.ts'

const line = (name: string, price: number | null, tone: PriceLine['tone'], dashed: boolean): PriceLine[] =>
  price === null ? [] : [{ name, price, tone, dashed }]

/** The ceiling, the next buy, the average, and of every open trade what it cost and where it sells. */
export function linesOf(stock: Stock, trades: readonly Trade[]): PriceLine[] {
  const open = trades.filter(isOpen)
  const targets = stock.autoSellWithAvgPrice
    ? [averageTargetOf(stock, stock)]
    : open.map(({ targetPrice }) => targetPrice)
  const all = [
    ...line('최고 매수가', stock.maxBuyPrice, 'plain', true),
    ...line('다음 매수', stock.nextBuyPrice, 'buy', false),
    ...line('평균', averagePriceOf(stock), 'plain', false),
    ...open.flatMap(({ buyPrice }) => line('매수', buyPrice, 'buy', true)),
    ...targets.flatMap((price) => line('목표', price, 'sell', true)),
  ]
  // Several trades at one price are one line.
  return all.filter(
    ({ name, price }, at) => all.findIndex((other) => other.name === name && other.price === price) === at,
  )
}
