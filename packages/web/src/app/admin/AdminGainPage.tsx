import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { RangeBar } from '../../components/RangeBar.tsx'
import { GainDays } from '../../features/report/GainDays.tsx'
import { GainTotals } from '../../features/report/GainTotals.tsx'
import type { Range } from '../../format/day.ts'
import { rangeMenu, useRange } from '../../url/query.ts'
import { AdminFrame, Nothing, Topic } from './AdminFrame.tsx'

export function AdminGainPage() {
  const [range, setRange, today] = useRange()
  return (
    <AdminFrame
      title="Admin Gain"
      name="모든 사용자의 손익"
      menu={rangeMenu(range, today, setRange)}
      head={<RangeBar range={range} onChange={setRange} />}
    >
      {({ userId }) => <Gains userId={userId} range={range} />}
    </AdminFrame>
  )
}

function Gains({ userId, range }: { userId: string; range: Range }) {
  const query = useQuery(read('adminGain', { params: { userId }, query: range }))
  return (
    <Topic query={query}>
      {(days) =>
        days.length === 0 ? (
          <Nothing>이 기간에 판 것이 없습니다.</Nothing>
        ) : (
          <>
            <GainTotals days={days} />
            <GainDays days={days} userId={userId} />
          </>
        )
      }
    </Topic>
  )
}
