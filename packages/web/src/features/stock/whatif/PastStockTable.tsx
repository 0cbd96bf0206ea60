import type { Stock } from '@digger/contract'
import { memo } from 'react'
import { useLocation } from 'wouter'
import { SortableTable, type Column } from '../../../components/SortableTable.tsx'
import { Panel } from '../../../components/Panel.tsx'
import { worseOf, type StockLine } from './allStocks.ts'
import { Ends } from './Ends.tsx'
import { endsOf, type Figure } from './figures.ts'
import { lineNote } from './lineNote.ts'
import type { Way } from './protocol.ts'

interface Props {
  rows: readonly StockLine[]
  hrefOf: (stock: Stock) => string
}

/** A line for each stock; a press on its name leads to its settings with the panel open. */
export const PastStockTable = memo(function PastStockTable({ rows, hrefOf }: Props) {
  const [, navigate] = useLocation()
  return (
    <Panel label="종목마다">
      <SortableTable
        caption="종목마다 다시 매매해 본 결과"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ stock }) => stock.code}
        onOpen={({ stock }) => navigate(hrefOf(stock))}
      />
    </Panel>
  )
})

const figure = (name: string, unit: Figure['unit'], of: (way: Way) => number): Column<StockLine> => ({
  name,
  by: worseOf(of),
  cell: ({ line }) => <Ends ends={line?.kind === 'done' ? endsOf(line.run, of) : null} unit={unit} />,
})

const COLUMNS: readonly Column<StockLine>[] = [
  {
    name: '종목',
    text: true,
    by: ({ stock }) => stock.name,
    cell: ({ stock, line }) => (
      <>
        {stock.name}
        <small>{lineNote(stock, line)}</small>
      </>
    ),
  },
  figure('합계', 'gain', ({ total }) => total),
  figure('들고 있었다면', 'gain', ({ holding }) => holding),
  figure('실현 손익', 'gain', ({ net }) => net),
  figure('남은 평가 손익', 'gain', ({ openGain }) => openGain),
  figure('들어간 돈', 'won', ({ mostIn }) => mostIn),
  figure('가장 큰 평가 손실', 'gain', ({ worstLoss }) => worstLoss),
  figure('판 횟수', 'times', ({ sells }) => sells),
]
