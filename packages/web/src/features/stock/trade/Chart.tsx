import type { Stock, Trade } from '@digger/contract'
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
import { linesOf } from './priceLines.ts'

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
      <QueryView
        query={query}
        rows={2}
        empty={{ when: (candles) => candles.length === 0, show: <p>아직 봉이 없습니다.</p> }}
      >
        {(candles) => <CandlePicture candles={candles} stock={stock} trades={trades} lines={lines} />}
      </QueryView>
      {/* Ours, so it waits for no candle of the broker's. */}
      <NumbersTable
        caption="기준 가격"
        head={['선', '가격']}
        rows={lines.map(({ name, price }) => ({ key: `${name} ${price}`, cells: [name, number(price)] }))}
      />
    </section>
  )
}
