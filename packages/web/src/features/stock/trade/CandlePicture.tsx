import type { Reply, Stock, Trade } from '@digger/contract'
import { lazy, Suspense, useMemo } from 'react'
import { candleAt, type Candle, type Mark } from '../../../components/chart/candles.ts'
import { NumbersTable } from '../../../components/Table.tsx'
import { showDay } from '../../../format/day.ts'
import { kstDigits, stamp } from '../../../format/time.ts'
import { number } from '../../../format/won.ts'
import css from './Chart.module.css'
import { spanOf, type ChartRange } from './chartRanges.ts'
import { chartPrices } from './priceLines.ts'
import { isOpen } from './trades.ts'

const PriceChart = lazy(() =>
  import('../../../components/chart/PriceChart.tsx').then((m) => ({ default: m.PriceChart })),
)

interface Props {
  stock: Stock
  trades: readonly Trade[]
  candles: Reply<'candles'>
  range: ChartRange
  simulPrice: number | undefined
}

/** The candles with their trades and prices, and the same numbers as a table. */
export function CandlePicture({ candles, stock, trades, range, simulPrice }: Props) {
  const marks = useMemo(() => marksOf(candles, trades), [candles, trades])
  const lots = useMemo(() => lotsOf(trades), [trades])
  const { live, tags } = chartPrices(stock, trades, candles.at(-1), simulPrice)
  const rows = () =>
    candles.toReversed().map(({ time, open, high, low, close }) => ({
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
          // Another range begins at its own newest candles.
          key={`${range} ${candles[0]?.time.length}`}
          candles={candles}
          live={live}
          tags={tags}
          lots={lots}
          marks={marks}
          span={spanOf(range, candles)}
          label={`${stock.name} 가격 차트. 화살표 키로 봉을 읽고 더하기와 빼기로 확대합니다. 같은 숫자가 아래 표에 있습니다.`}
        />
      </Suspense>
      <Key
        bought={marks.some(({ side }) => side === 'buy')}
        sold={marks.some(({ side }) => side === 'sell')}
        lots={lots.length}
      />
      <NumbersTable caption="봉" head={['시각', '시가', '고가', '저가', '종가']} rows={rows} />
    </>
  )
}

/** What the signs on the chart mean: those that are there. */
function Key({ bought, sold, lots }: { bought: boolean; sold: boolean; lots: number }) {
  return (
    <ul className={css['key']}>
      {bought && (
        <li>
          <span className={css['bought']}>▲</span> 산 날
        </li>
      )}
      {sold && <li>▼ 판 날</li>}
      {lots > 0 && (
        <li>
          <span className={css['bought']}>━</span> 오른쪽 눈금: 들고 있는 매매 {lots}
        </li>
      )}
    </ul>
  )
}

function marksOf(candles: readonly Candle[], trades: readonly Trade[]): Mark[] {
  const mark = (at: string | null, side: Mark['side']): Mark[] => {
    const index = at === null ? null : candleAt(candles, kstDigits(at))
    return index === null ? [] : [{ index, side }]
  }
  return trades.flatMap((trade) => [...mark(trade.buyDateTime, 'buy'), ...mark(trade.sellDateTime, 'sell')])
}

const lotsOf = (trades: readonly Trade[]) =>
  trades.filter(isOpen).map(({ id, buyDateTime, buyCount, buyPrice, targetPrice }) => ({
    id,
    price: buyPrice,
    text: `${stamp(buyDateTime).slice(3, 14)} ${number(buyCount)}주 × ${number(buyPrice)}${targetPrice === null ? '' : ` → 목표 ${number(targetPrice)}`}`,
  }))
