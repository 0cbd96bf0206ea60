import { Facts, Panel } from '../../../components/Panel.tsx'
import { sumOf, type StockLine } from './allStocks.ts'
import { Ends } from './Ends.tsx'
import css from './WhatIf.module.css'

/** All stocks together, each by its own settings. */
export function PastSums({ rows }: { rows: readonly StockLine[] }) {
  return (
    <Panel label="모두 합해">
      <h2>모두 합해</h2>
      <Sums rows={rows} />
      <p className={css['note']}>{doneText(rows)}</p>
    </Panel>
  )
}

/** Of how many stocks the sums are. */
function doneText(rows: readonly StockLine[]): string {
  const missing = rows.filter(({ line }) => line?.kind !== 'done').length
  return missing === 0
    ? `종목 ${rows.length}개를 지금 설정대로 다시 매매해 본 합입니다.`
    : `종목 ${rows.length}개 가운데 지난 시세가 없는 ${missing}개는 들어 있지 않습니다.`
}

function Sums({ rows }: { rows: readonly StockLine[] }) {
  return (
    <Facts
      lead
      facts={[
        ['합계(비용 뺌)', <Ends key="total" ends={sumOf(rows, ({ total }) => total)} unit="gain" />],
        ['그냥 들고 있었다면', <Ends key="holding" ends={sumOf(rows, ({ holding }) => holding)} unit="gain" />],
        ['실현 손익(비용 뺌)', <Ends key="net" ends={sumOf(rows, ({ net }) => net)} unit="gain" />],
        ['남은 주식의 평가 손익', <Ends key="open" ends={sumOf(rows, ({ openGain }) => openGain)} unit="gain" />],
        ['종목마다 가장 많이 들어간 돈의 합', <Ends key="in" ends={sumOf(rows, ({ mostIn }) => mostIn)} unit="won" />],
      ]}
    />
  )
}
