import type { Stock } from '@digger/contract'
import { memo, useState } from 'react'
import { Link } from 'wouter'
import { Panel } from '../../../components/Panel.tsx'
import { Segments } from '../../../components/Segments.tsx'
import { sorted, type Sortable } from '../../../components/sorted.ts'
import { worseOf, type StockLine } from './allStocks.ts'
import { Ends } from './Ends.tsx'
import { endsOf, type Figure } from './figures.ts'
import { lineNote } from './lineNote.ts'
import css from './PastStockList.module.css'
import type { Way } from './protocol.ts'

interface Props {
  rows: readonly StockLine[]
  hrefOf: (stock: Stock) => string
}

type By = 'listed' | 'total' | 'in' | 'loss'

const ORDERS: readonly (readonly [By, string])[] = [
  ['listed', '목록 순'],
  ['total', '합계'],
  ['in', '들어간 돈'],
  ['loss', '평가 손실'],
]

const BY: Readonly<Record<Exclude<By, 'listed'>, (row: StockLine) => Sortable>> = {
  total: worseOf(({ total }) => total),
  in: worseOf(({ mostIn }) => mostIn),
  // The largest loss is the least number.
  loss: worseOf(({ worstLoss }) => -worstLoss),
}

/** The same lines for narrow windows. */
export const PastStockList = memo(function PastStockList({ rows, hrefOf }: Props) {
  const [by, setBy] = useState<By>('listed')
  const shown = by === 'listed' ? rows : sorted(rows, BY[by], true)
  return (
    <Panel label="종목마다">
      <h2>종목마다</h2>
      <Segments label="순서" look="chips" options={ORDERS} value={by} onChange={setBy} />
      <ul className={css['list']}>
        {shown.map((row) => (
          <li key={row.stock.code}>
            <Link className={css['stock']} href={hrefOf(row.stock)}>
              <b>{row.stock.name}</b>
              <small>{lineNote(row.stock, row.line)}</small>
              <Figures row={row} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
})

const FIGURES: readonly (readonly [name: string, unit: Figure['unit'], of: (way: Way) => number])[] = [
  ['합계', 'gain', ({ total }) => total],
  ['들고 있었다면', 'gain', ({ holding }) => holding],
  ['가장 많이 들어간 돈', 'won', ({ mostIn }) => mostIn],
  ['가장 큰 평가 손실', 'gain', ({ worstLoss }) => worstLoss],
]

function Figures({ row: { line } }: { row: StockLine }) {
  if (line?.kind === 'failed' || line?.kind === 'none') return null
  return (
    <dl className={css['figures']}>
      {FIGURES.map(([name, unit, of]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Ends ends={line && endsOf(line.run, of)} unit={unit} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
