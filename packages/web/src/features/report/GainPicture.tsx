import { lazy, Suspense, useMemo } from 'react'
import { Panel } from '../../components/Panel.tsx'
import { NumbersTable } from '../../components/Table.tsx'
import { showDay, type Range } from '../../format/day.ts'
import { number, percent } from '../../format/won.ts'
import { GainCalendar } from './GainCalendar.tsx'
import css from './GainPicture.module.css'
import { byMonth, everyDay, isMonth, type Gain, type GainDay } from './gains.ts'

const SeriesChart = lazy(() =>
  import('../../components/chart/SeriesChart.tsx').then((m) => ({ default: m.SeriesChart })),
)

/** A month as calendar and bars by day, a longer range as bars by month; all after costs. */
export function GainPicture({ days, range }: { days: readonly GainDay[]; range: Range }) {
  const month = isMonth(range)
  const entries = useMemo(() => entriesOf(days, range), [days, range])
  const caption = month ? '날마다' : '달마다'
  return (
    <>
      {month && (
        <Panel label="달력">
          <h2 className={css['title']}>
            달력 <small>비용 뺌 · 단위 만원</small>
          </h2>
          <GainCalendar days={everyDay(range, days)} />
        </Panel>
      )}
      <Panel label={caption}>
        <h2 className={css['title']}>
          {caption} <small>비용 뺌</small>
        </h2>
        <Suspense fallback={<output className={css['room']} aria-label="불러오는 중" />}>
          <SeriesChart
            entries={entries}
            kind="bars"
            label={`${caption} 비용 뺀 손익. 화살표 키로 읽습니다. 같은 숫자가 아래 표에 있습니다.`}
          />
        </Suspense>
        <NumbersTable
          caption={caption}
          head={[month ? '날짜' : '월', '비용 뺌', '손익', '수익률', '판 번']}
          rows={() => entries.map(({ key, table, gain }) => ({ key, cells: [table, ...cellsOf(gain)] }))}
        />
      </Panel>
    </>
  )
}

const cellsOf = (gain: Gain | null): string[] =>
  gain === null
    ? ['—', '—', '—', '—']
    : [number(gain.netGainAmount), number(gain.gainAmount), percent(gain.gainRatio), number(gain.sales)]

function entriesOf(days: readonly GainDay[], range: Range) {
  return isMonth(range)
    ? everyDay(range, days).map(({ date, gain }) => {
        const name = `${Number(date.slice(6))}일`
        return { key: date, name, long: name, table: showDay(date), gain, amount: gain?.netGainAmount ?? 0 }
      })
    : byMonth(days).map(({ month, gain }) => {
        const name = `${Number(month.slice(4))}월`
        const long = `${month.slice(0, 4)}년 ${name}`
        return {
          key: month,
          name,
          long,
          table: `${month.slice(0, 4)}-${month.slice(4)}`,
          gain,
          amount: gain.netGainAmount,
        }
      })
}
