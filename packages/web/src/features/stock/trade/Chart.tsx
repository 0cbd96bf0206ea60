import type { Stock, Trade } from '@digger/contract'
import { readWon } from '@digger/contract/typed-number'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../../api/read.ts'
import { QueryView } from '../../../components/QueryView.tsx'
import { Segments } from '../../../components/Segments.tsx'
import { NumbersTable } from '../../../components/Table.tsx'
import { number } from '../../../format/won.ts'
import { useTexts } from '../../../url/query.ts'
import { usePathUser } from '../../../url/user.ts'
import { CandlePicture } from './CandlePicture.tsx'
import css from './Chart.module.css'
import { CHART_RANGES, chartRangeOf } from './chartRanges.ts'
import { linesOf, type PriceLine } from './priceLines.ts'

interface Props {
  stock: Stock
  trades: readonly Trade[]
}

/** Candles with what was bought and sold, and the prices that Digger waits for. */
export function Chart({ stock, trades }: Props) {
  const userId = usePathUser()
  const [text, setTexts] = useTexts()
  const range = chartRangeOf(text('chart'))
  const unit = range === 'minute' ? 'minute' : 'day'
  const query = useQuery({
    ...read('candles', { params: { userId, code: stock.code }, query: { unit } }),
    staleTime: 60_000,
    // Old candles of the other unit would lie about time; nothing is better.
    refetchInterval: unit === 'minute' ? 60_000 : false,
  })
  return (
    <section className={css['chart']} aria-label="가격 차트">
      <div className={css['head']}>
        <h2>차트</h2>
        <Segments
          label="차트 범위"
          look="chips"
          options={CHART_RANGES}
          value={range}
          onChange={(value) => setTexts({ chart: value === 'quarter' ? '' : value })}
        />
      </div>
      <QueryView
        query={query}
        rows={2}
        empty={{ when: (candles) => candles.length === 0, show: <p>아직 봉이 없습니다.</p> }}
      >
        {(candles) => (
          <CandlePicture
            candles={candles}
            stock={stock}
            trades={trades}
            range={range}
            simulPrice={readWon(text('simulPrice')) || undefined}
          />
        )}
      </QueryView>
      {/* Ours, so it waits for no candle of the broker's. */}
      <NumbersTable caption="기준 가격" head={['선', '가격']} rows={() => linesOf(stock, trades).map(rowOf)} />
    </section>
  )
}

const rowOf = ({ name, price }: PriceLine) => ({ key: `${name} ${price}`, cells: [name, number(price)] })
