import type { Reply } from '@digger/contract'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Panel } from '../../components/Panel.tsx'
import { Segments } from '../../components/Segments.tsx'
import { NumbersTable } from '../../components/Table.tsx'
import { showDay } from '../../format/day.ts'
import { number, won } from '../../format/won.ts'
import css from './GainPicture.module.css'
import { totalOf, withoutQuietWeekends, type MoneyDay } from './moneyRows.ts'

const SeriesChart = lazy(() =>
  import('../../components/chart/SeriesChart.tsx').then((m) => ({ default: m.SeriesChart })),
)

const LINES = [
  ['total', '총자산', totalOf],
  ['deposit', '예수금', (day: MoneyDay) => day.depositAmount],
  ['stock', '주식 매입금액', (day: MoneyDay) => day.stockBuyAmount],
] as const

/** Money of the range as a line with the scale of its own data, and the same numbers as a table. */
export function MoneyPicture({ days }: { days: Reply<'money'> }) {
  const [chosen, setChosen] = useState<(typeof LINES)[number][0]>('total')
  const oldestFirst = useMemo(() => withoutQuietWeekends(days).toReversed(), [days])
  const [, name, amountOf] = LINES.find(([key]) => key === chosen) ?? LINES[0]
  const entries = oldestFirst.map((day) => {
    const short = `${day.date.slice(4, 6)}/${day.date.slice(6)}`
    return { key: day.date, name: short, long: short, amount: amountOf(day) }
  })
  const flat = entries.every(({ amount }) => amount === entries[0]?.amount)
  return (
    <Panel label="자산 그래프">
      <h2>자산 그래프</h2>
      <Segments
        label="무엇을 그릴지"
        look="chips"
        options={LINES.map(([key, name]) => [key, name] as const)}
        value={chosen}
        onChange={setChosen}
      />
      {flat ? (
        <p className={css['flat']}>
          {name}: 이 기간 내내 {won(entries[0]?.amount ?? null)}입니다.
        </p>
      ) : (
        <Suspense fallback={<output className={css['room']} aria-label="불러오는 중" />}>
          <SeriesChart
            entries={entries}
            kind="line"
            label={`${name} 선그래프. 화살표 키로 읽습니다. 같은 숫자가 아래 표에 있습니다.`}
          />
        </Suspense>
      )}
      <NumbersTable
        caption="자산"
        head={['날짜', ...LINES.map(([, name]) => name)]}
        rows={() =>
          oldestFirst.map((day) => ({
            key: day.date,
            cells: [showDay(day.date), ...LINES.map(([, , of]) => number(of(day)))],
          }))
        }
      />
    </Panel>
  )
}
