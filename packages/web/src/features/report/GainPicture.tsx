import { lazy, Suspense } from 'react'
import { Panel } from '../../components/Panel.tsx'
import { NumbersTable } from '../../components/Table.tsx'
import { showDay, type Range } from '../../format/day.ts'
import { number } from '../../format/won.ts'
import { GainCalendar } from './GainCalendar.tsx'
import css from './GainPicture.module.css'
import { byMonth, everyDay, isMonth, type GainDay } from './gains.ts'

const AmountChart = lazy(() =>
  import('../../components/chart/AmountChart.tsx').then((m) => ({ default: m.AmountChart })),
)

/** A month as calendar and bars by day, a longer range as bars by month. */
export function GainPicture({ days, range }: { days: readonly GainDay[]; range: Range }) {
  const month = isMonth(range)
  const entries = month
    ? everyDay(range, days).map(({ date, gain }) => ({
        key: date,
        name: String(Number(date.slice(6))),
        long: showDay(date),
        amount: gain ?? 0,
      }))
    : byMonth(days).map(({ month: key, gain }) => ({
        key,
        name: `${Number(key.slice(4))}월`,
        long: `${key.slice(0, 4)}-${key.slice(4)}`,
        amount: gain,
      }))
  const caption = month ? '일자별 손익' : '월별 손익'
  return (
    <Panel>
      {month && <GainCalendar days={everyDay(range, days)} />}
      <Suspense fallback={<output className={css['room']} aria-label="불러오는 중" />}>
        <AmountChart entries={entries} label={`${caption} 막대그래프. 같은 숫자가 아래 표에 있습니다.`} />
      </Suspense>
      <NumbersTable
        caption={caption}
        head={[month ? '날짜' : '월', '손익']}
        rows={entries.map(({ key, long, amount }) => ({ key, cells: [long, number(amount)] }))}
      />
    </Panel>
  )
}
