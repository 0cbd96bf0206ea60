import { useQuery, useQueryClient } from '@tanstack/react-query'
import { downloadItem } from '../../api/download.ts'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { ask, type SheetItem } from '../../ask/ask.ts'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { RangeBar } from '../../components/RangeBar.tsx'
import { rangeKey } from '../../format/day.ts'
import { useHome } from '../../viewer/viewer.ts'
import { rangeChips, rangeMenu, useRange } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import { MoneyDays } from './MoneyDays.tsx'
import { MoneyPicture } from './MoneyPicture.tsx'

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
  const fileItem = downloadItem('자산 내보내기(CSV)', 'exportTable', {
    params: { userId, table: 'money' },
    query: range,
  })
  return (
    <Page
      title="Money"
      name="자산 내역"
      homeHref={home}
      menu={[...rangeMenu(range, today, setRange), bankItem, fileItem]}
      selected={rangeKey(range)}
      chips={[rangeChips(range, today, setRange)]}
      wide
    >
      <RangeBar range={range} onChange={setRange} />
      <QueryView
        query={query}
        heights={[379, 147, 147, 147]}
        empty={{ when: (days) => days.length === 0, show: <Empty title="이 기간의 기록이 없습니다" /> }}
      >
        {(days) => (
          <>
            <MoneyPicture days={days} />
            <MoneyDays days={days} />
          </>
        )}
      </QueryView>
    </Page>
  )
}
