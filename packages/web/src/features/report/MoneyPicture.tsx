import type { Reply } from '@digger/contract'
import { lazy, Suspense, useMemo } from 'react'
import { Panel } from '../../components/Panel.tsx'
import { NumbersTable } from '../../components/Table.tsx'
import { showDay } from '../../format/day.ts'
import { number } from '../../format/won.ts'
import css from './GainPicture.module.css'
import { totalOf } from './moneyRows.ts'

const LinesChart = lazy(() => import('../../components/chart/LinesChart.tsx').then((m) => ({ default: m.LinesChart })))

/** Money of the range as lines, and the same numbers as a table. */
export function MoneyPicture({ days }: { days: Reply<'money'> }) {
  const oldestFirst = useMemo(() => days.toReversed(), [days])
  const names = useMemo(() => oldestFirst.map(({ date }) => `${date.slice(4, 6)}/${date.slice(6)}`), [oldestFirst])
  const lines = useMemo(
    () => [
      { name: '총자산', amounts: oldestFirst.map(totalOf) },
      { name: '예수금', amounts: oldestFirst.map(({ depositAmount }) => depositAmount) },
      { name: '주식 매입금액', amounts: oldestFirst.map(({ stockBuyAmount }) => stockBuyAmount) },
    ],
    [oldestFirst],
  )
  return (
    <Panel>
      <h2>자산 그래프</h2>
      <Suspense fallback={<output className={css['room']} aria-label="불러오는 중" />}>
        <LinesChart
          days={names}
          lines={lines}
          label="총자산, 예수금, 주식 매입금액 선그래프. 같은 숫자가 아래 표에 있습니다."
        />
      </Suspense>
      <NumbersTable
        caption="자산"
        head={['날짜', ...lines.map(({ name }) => name)]}
        rows={oldestFirst.map(({ date }, at) => ({
          key: date,
          cells: [showDay(date), ...lines.map(({ amounts }) => number(amounts[at] ?? 0))],
        }))}
      />
    </Panel>
  )
}
