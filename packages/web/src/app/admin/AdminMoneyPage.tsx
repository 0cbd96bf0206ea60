import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { RangeBar } from '../../components/RangeBar.tsx'
import { MoneyDays } from '../../features/report/MoneyDays.tsx'
import type { Range } from '../../format/day.ts'
import { rangeMenu, useRange } from '../../url/query.ts'
import { AdminFrame, Nothing, Topic } from './AdminFrame.tsx'

export function AdminMoneyPage() {
  const [range, setRange, today] = useRange()
  return (
    <AdminFrame
      title="Admin Money"
      name="모든 사용자의 자산"
      menu={rangeMenu(range, today, setRange)}
      head={<RangeBar range={range} onChange={setRange} />}
    >
      {({ userId }) => <Money userId={userId} range={range} />}
    </AdminFrame>
  )
}

function Money({ userId, range }: { userId: string; range: Range }) {
  const query = useQuery(read('adminMoney', { params: { userId }, query: range }))
  return (
    <Topic query={query}>
      {(days) => (days.length === 0 ? <Nothing>이 기간의 기록이 없습니다.</Nothing> : <MoneyDays days={days} />)}
    </Topic>
  )
}
