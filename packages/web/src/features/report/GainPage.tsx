import { useQuery } from '@tanstack/react-query'
import { downloadItem } from '../../api/download.ts'
import { read } from '../../api/read.ts'
import { QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { RangeBar } from '../../components/RangeBar.tsx'
import { rangeKey } from '../../format/day.ts'
import { useHome } from '../../viewer/viewer.ts'
import { rangeChips, rangeMenu, useRange } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import { GainReport } from './GainReport.tsx'

export function GainPage() {
  const userId = usePathUser()
  const home = useHome()
  const [range, setRange, today] = useRange()
  const query = useQuery(read('gain', { params: { userId }, query: range }))
  const year = range.fromDate.slice(0, 4)
  const files = [
    downloadItem('손익 내보내기(CSV)', 'exportTable', { params: { userId, table: 'gain' }, query: range }),
    downloadItem('판 매매 내보내기(CSV)', 'exportTable', { params: { userId, table: 'trades' }, query: range }),
    downloadItem(`${year}년 정산 내려받기(엑셀)`, 'exportYear', { params: { userId, year } }),
  ]
  return (
    <Page
      title="Gain"
      name="실현 손익"
      homeHref={home}
      menu={[...rangeMenu(range, today, setRange), ...files]}
      selected={rangeKey(range)}
      chips={[rangeChips(range, today, setRange)]}
      wide
    >
      <RangeBar range={range} onChange={setRange} />
      <QueryView query={query} heights={[274, 337, 335]}>
        {(days) => <GainReport days={days} range={range} userId={userId} />}
      </QueryView>
    </Page>
  )
}
