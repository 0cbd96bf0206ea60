import type { Reply } from '@digger/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { ask, type SheetItem } from '../../ask/ask.ts'
import { Columns } from '../../components/Columns.tsx'
import { Empty, Faces } from '../../components/Faces.tsx'
import { Page } from '../../components/Page.tsx'
import { Panel } from '../../components/Panel.tsx'
import { RangeBar } from '../../components/RangeBar.tsx'
import { NumbersTable } from '../../components/Table.tsx'
import { rangeKey, showDay } from '../../format/day.ts'
import { number } from '../../format/won.ts'
import { useHome } from '../../viewer/viewer.ts'
import { rangeMenu, useRange } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import css from './GainPicture.module.css'
import { MoneyDays } from './MoneyDays.tsx'
import { totalOf } from './moneyRows.ts'

const LinesChart = lazy(() => import('../../components/chart/LinesChart.tsx').then((m) => ({ default: m.LinesChart })))

export function MoneyPage() {
  const userId = usePathUser()
  const home = useHome()
  const client = useQueryClient()
  const [range, setRange, today] = useRange()
  const query = useQuery(read('money', { params: { userId }, query: range }))
  const keepBank = async () => {
    const amount = await ask.prompt(
      '은행 잔고',
      { label: '금액', type: 'number', unit: '원' },
      '증권 계좌 밖에 둔 현금입니다. 총자산에 더합니다.',
    )
    if (amount === null) return
    const reply = await send('setBankBalance', { params: { userId }, body: { amount } })
    // No event: the bank is not the broker's.
    if (reply) await client.invalidateQueries({ predicate: ({ queryKey: [name] }) => name === 'money' })
  }
  const bankItem: SheetItem = { name: '은행 잔고 적기', value: 'bank', func: () => void keepBank() }
  return (
    <Page
      title="Money"
      name="자산 내역"
      homeHref={home}
      menu={[...rangeMenu(range, today, setRange), bankItem]}
      selected={rangeKey(range)}
      wide
    >
      <RangeBar range={range} onChange={setRange} />
      <Faces
        query={query}
        empty={{ when: (days) => days.length === 0, show: <Empty title="이 기간의 기록이 없습니다" /> }}
      >
        {(days) => (
          <Columns picture={<Picture days={days} />}>
            <MoneyDays days={days} />
          </Columns>
        )}
      </Faces>
    </Page>
  )
}

function Picture({ days }: { days: Reply<'money'> }) {
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
