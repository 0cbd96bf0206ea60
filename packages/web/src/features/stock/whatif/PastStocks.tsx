import type { Stock } from '@digger/contract'
import { useCallback, useMemo } from 'react'
import { useToday } from '../../../clock/now.ts'
import { Panel } from '../../../components/Panel.tsx'
import { useWide } from '../../../components/useWide.ts'
import { usePathUser } from '../../../url/user.ts'
import type { StockLine } from './allStocks.ts'
import { Assumptions } from './Assumptions.tsx'
import { ASSUMPTIONS } from './figures.ts'
import { PastStockList } from './PastStockList.tsx'
import { PastStockTable } from './PastStockTable.tsx'
import { PastSums } from './PastSums.tsx'
import { UnderWay } from './UnderWay.tsx'
import { useStockRuns } from './useStockRuns.ts'
import { firstDay, type PastRange } from './whatIfRanges.ts'

interface Props {
  stocks: readonly Stock[]
  range: PastRange
}

/** The sums, then each stock with the way to its settings. */
export function PastStocks({ stocks: listed, range }: Props) {
  const userId = usePathUser()
  const isWide = useWide()
  const { lines, stocks, problem } = useStockRuns(listed, firstDay(range, useToday()), userId)
  const rows = useMemo<StockLine[]>(
    () => stocks.map((stock) => ({ stock, line: lines.get(stock.code) ?? null })),
    [stocks, lines],
  )
  const past = range === 'three' ? '' : `&past=${range}`
  const hrefOf = useCallback(
    ({ code }: Stock) => `/${userId}/stock/${code}/settings?whatif=true${past}`,
    [userId, past],
  )
  // One figure after the other would push about what is being read.
  if (lines.size < stocks.length) return <UnderWay done={lines.size} total={stocks.length} problem={problem} />
  return (
    <>
      <PastSums rows={rows} />
      {isWide ? <PastStockTable rows={rows} hrefOf={hrefOf} /> : <PastStockList rows={rows} hrefOf={hrefOf} />}
      <Panel label="가정">
        <Assumptions texts={[...ASSUMPTIONS, '종목마다 따로 계산합니다. 계좌의 현금과 한도는 보지 않습니다.']} />
      </Panel>
    </>
  )
}
