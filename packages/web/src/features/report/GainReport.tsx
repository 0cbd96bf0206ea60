import type { Reply } from '@digger/contract'
import { Columns } from '../../components/Columns.tsx'
import { Empty } from '../../components/QueryView.tsx'
import type { Range } from '../../format/day.ts'
import { GainByStock, GainExtremes } from './GainByStock.tsx'
import { GainDays } from './GainDays.tsx'
import { GainPicture } from './GainPicture.tsx'
import { GainTotals } from './GainTotals.tsx'

/** The sums, the days as pictures, the stocks beside them, and all of it day by day. */
export function GainReport({ days, range, userId }: { days: Reply<'gain'>; range: Range; userId: string }) {
  return (
    <>
      <GainTotals days={days} />
      {days.length === 0 ? (
        <Empty title="이 기간에 판 것이 없습니다" />
      ) : (
        <>
          <Columns picture={<GainPicture days={days} range={range} />}>
            <GainByStock days={days} userId={userId} />
            <GainExtremes days={days} />
          </Columns>
          <GainDays days={days} userId={userId} />
        </>
      )}
    </>
  )
}
