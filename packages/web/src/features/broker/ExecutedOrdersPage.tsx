import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { downloadItem } from '../../api/download.ts'
import { read } from '../../api/read.ts'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { lastDays, rangeKey } from '../../format/day.ts'
import { useHome, useViewer, useWhose } from '../../viewer/viewer.ts'
import { useFlags, useRange, useTexts } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import { useRunningWork, WorkLine } from '../../work/WorkLine.tsx'
import { ExecutedOrderList, ExecutedOrderSums, Shown } from './ExecutedOrderList.tsx'
import { executedOrdersChips, executedOrdersMenu, importKeyOf, importMenu } from './executedOrdersMenu.ts'
import { merge, type ExecutedOrder } from './executedOrders.ts'

export function ExecutedOrdersPage() {
  const userId = usePathUser()
  const home = useHome()
  const { admin } = useViewer()
  const whose = useWhose()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [flags, setFlags] = useFlags({ merged: true, filterWithCode: false })
  const [text, setTexts] = useTexts()
  const [range, , today] = useRange((day) => lastDays(day, 1))
  const code = text('code')
  const asked = { ...range, code }
  const query = useQuery(read('ordered', { params: { userId }, query: asked }))
  const view = { flags, setFlags, setTexts, today }
  const menu = [
    ...executedOrdersMenu(view),
    downloadItem('주문 내보내기(CSV)', 'exportTable', { params: { userId, table: 'orders' }, query: asked }),
  ]
  if (admin) menu.push(...importMenu(client, { userId, whose, query: asked }))
  const click = (row: ExecutedOrder) => {
    if (flags.filterWithCode) setTexts({ code: row.code })
    else navigate(`/${userId}/stock/${row.code}/trade`)
  }
  return (
    <Page
      title="Ordered"
      name="체결 내역"
      homeHref={home}
      wide
      menu={menu}
      selected={rangeKey(range)}
      chips={executedOrdersChips(view, range, code)}
    >
      <Shown range={range} code={code} />
      <WorkLine work={useRunningWork(importKeyOf(userId))} advice="import" />
      <QueryView
        query={query}
        heights={[118, 70, 70, 70, 70, 70]}
        empty={{ when: (list) => list.length === 0, show: <Empty title="이 기간의 체결이 없습니다" /> }}
      >
        {(list) => (
          <>
            <ExecutedOrderSums list={list} />
            <ExecutedOrderList list={flags.merged ? merge(list) : list} onClick={click} />
          </>
        )}
      </QueryView>
    </Page>
  )
}
