import type { Reply, Stock, Trade } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { read } from '../../../api/read.ts'
import { candleAt, withLastPrice, type Candle, type Mark, type PriceLine } from '../../../components/chart/candles.ts'
import { Faces } from '../../../components/Faces.tsx'
import { Segments } from '../../../components/Segments.tsx'
import { NumbersTable } from '../../../components/Table.tsx'
import { showDay } from '../../../format/day.ts'
import { kstDigits } from '../../../format/time.ts'
import { number } from '../../../format/won.ts'
import { useTexts } from '../../../url/query.ts'
import { usePathUser } from '../../../url/user.ts'
import { averagePriceOf, averageTargetOf } from '../target.ts'
import css from './Chart.module.css'
import { isOpen } from './trades.ts'

const PriceChart = lazy(() =>
  import('../../../components/chart/PriceChart.tsx').then((m) => ({ default: m.PriceChart })),
)

interface Props {
  stock: Stock
  trades: readonly Trade[]
}

/** Candles with what was bought and sold, and the prices that Digger waits for. */
export function Chart({ stock, trades }: Props) {
  const userId = usePathUser()
  const [text, setTexts] = useTexts()
  const unit = text('chart') === 'minute' ? 'minute' : 'day'
  const query = useQuery({
    ...read('candles', { params: { userId, code: stock.code }, query: { unit } }),
    staleTime: 60_000,
    // Old candles of the other unit would lie about time; nothing is better.
    refetchInterval: unit === 'minute' ? 60_000 : false,
  })
  const lines = linesOf(stock, trades)
  return (
    <section className={css['chart']} aria-label="가격 차트">
      <div className={css['head']}>
        <h2>차트</h2>
        <Segments
          label="봉 단위"
          options={[
            ['day', '일봉'],
            ['minute', '분봉'],
          ]}
          value={unit}
          onChange={(value) => setTexts({ chart: value })}
        />
      </div>
      <Faces
        query={query}
        rows={2}
        empty={{ when: (candles) => candles.length === 0, show: <p>아직 봉이 없습니다.</p> }}
      >
        {(candles) => <Picture candles={candles} stock={stock} trades={trades} lines={lines} />}
      </Faces>
      {/* Ours, so it waits for no candle of the broker's. */}
      <NumbersTable
        caption="기준 가격"
        head={['선', '가격']}
        rows={lines.map(({ name, price }) => ({ key: `${name} ${price}`, cells: [name, number(price)] }))}
      />
    </section>
  )
}

interface PictureProps extends Props {
  candles: Reply<'candles'>
  lines: readonly PriceLine[]
}

function Picture({ candles, stock, trades, lines }: PictureProps) {
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
