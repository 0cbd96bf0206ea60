import type { Stock, Trade } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { read } from '../../../api/read.ts'
import { QueryView } from '../../../components/QueryView.tsx'
import { Segments } from '../../../components/Segments.tsx'
import { NumbersTable } from '../../../components/Table.tsx'
import { number } from '../../../format/won.ts'
import { useTexts } from '../../../url/query.ts'
import { usePathUser } from '../../../url/user.ts'
import { CandlePicture } from './CandlePicture.tsx'
import css from './Chart.module.css'
import { CHART_RANGES, chartRangeOf, type ChartRange } from './chartRanges.ts'
import { linesOf, type PriceLine } from './priceLines.ts'

interface Props {
  stock: Stock
  trades: readonly Trade[]
  /** What somebody typed instead of the market's price, won. */
  simulPrice: number | undefined
}

/** Candles with what was bought and sold, and the prices that Digger waits for. */
export function Chart({ stock, trades, simulPrice }: Props) {
  const userId = usePathUser()
  const [range] = useChartRange()
  const unit = range === 'minute' ? 'minute' : 'day'
  const query = useQuery({
    ...read('candles', { params: { userId, code: stock.code }, query: { unit } }),
    staleTime: 60_000,
    // Old candles of the other unit would lie about time; nothing is better.
    refetchInterval: unit === 'minute' ? 60_000 : false,
  })
  return (
    <section className={css['chart']} aria-label="가격 차트">
      <Head />
      <QueryView
        query={query}
        rows={2}
        empty={{ when: (candles) => candles.length === 0, show: <p>아직 봉이 없습니다.</p> }}
      >
        {(candles) => (
          <CandlePicture candles={candles} stock={stock} trades={trades} range={range} simulPrice={simulPrice} />
        )}
      </QueryView>
      {/* Ours, so it waits for no candle of the broker's. */}
      <NumbersTable caption="기준 가격" head={['선', '가격']} rows={() => linesOf(stock, trades).map(rowOf)} />
    </section>
  )
}

function useChartRange() {
  const [text, setTexts] = useTexts()
  const change = (range: ChartRange) => setTexts({ chart: range === 'quarter' ? '' : range })
  return [chartRangeOf(text('chart')), change] as const
}

/** Draws nothing anew for a price. */
const Head = memo(function Head() {
  const [range, change] = useChartRange()
  return (
    <div className={css['head']}>
      <h2>차트</h2>
      <Segments label="차트 범위" look="chips" options={CHART_RANGES} value={range} onChange={change} />
    </div>
  )
})

const rowOf = ({ name, price }: PriceLine) => ({ key: `${name} ${price}`, cells: [name, number(price)] })
