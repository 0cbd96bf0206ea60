import type { Reply, Stock, Trade } from '@digger/contract'
import { lazy, Suspense, useMemo } from 'react'
import { candleAt, withLastPrice, type Candle, type Mark, type PriceLine } from '../../../components/chart/candles.ts'
import { NumbersTable } from '../../../components/Table.tsx'
import { showDay } from '../../../format/day.ts'
import { kstDigits } from '../../../format/time.ts'
import { number } from '../../../format/won.ts'
import css from './Chart.module.css'

const PriceChart = lazy(() =>
  import('../../../components/chart/PriceChart.tsx').then((m) => ({ default: m.PriceChart })),
)

interface Props {
  stock: Stock
  trades: readonly Trade[]
  candles: Reply<'candles'>
  lines: readonly PriceLine[]
}

/** The candles with their trades and lines, and the same numbers as a table. */
export function CandlePicture({ candles, stock, trades, lines }: Props) {
  const shown = useMemo(() => withLastPrice(candles, stock.price), [candles, stock.price])
  const marks = useMemo(() => marksOf(candles, trades), [candles, trades])
  const rows = shown.toReversed().map(({ time, open, high, low, close }) => ({
    key: time,
    cells: [
      time.length > 8 ? `${time.slice(8, 10)}:${time.slice(10, 12)}` : showDay(time),
      number(open),
      number(high),
      number(low),
      number(close),
    ],
  }))
  return (
    <>
      <Suspense fallback={<output className={css['room']} aria-label="불러오는 중" />}>
        <PriceChart
          candles={shown}
          lines={lines}
          marks={marks}
          label={`${stock.name} 가격 차트. 같은 숫자가 아래 표에 있습니다.`}
        />
      </Suspense>
      <NumbersTable caption="봉" head={['시각', '시가', '고가', '저가', '종가']} rows={rows} />
    </>
  )
}

function marksOf(candles: readonly Candle[], trades: readonly Trade[]): Mark[] {
  const mark = (at: string | null, price: number | null, side: Mark['side']): Mark[] => {
    const index = at === null ? null : candleAt(candles, kstDigits(at))
    return index === null || price === null ? [] : [{ index, price, side }]
  }
  return trades.flatMap((trade) => [
    ...mark(trade.buyDateTime, trade.buyPrice, 'buy'),
    ...mark(trade.sellDateTime, trade.sellPrice, 'sell'),
  ])
}
