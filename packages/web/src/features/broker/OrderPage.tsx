import type { Reply } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useLocation } from 'wouter'
import { downloadItem } from '../../api/download.ts'
import { read } from '../../api/read.ts'
import { send } from '../../api/send.ts'
import { ask, row } from '../../ask/ask.ts'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { number } from '../../format/won.ts'
import { useHome, useViewer } from '../../viewer/viewer.ts'
import { useTexts } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import { FOREIGN, OrderFilters, OrderList } from './OrderList.tsx'

type Order = Reply<'orders'>[number]
type Side = '' | 'BUY' | 'SELL'

export function OrderPage() {
  const userId = usePathUser()
  const home = useHome()
  const { admin } = useViewer()
  const [, navigate] = useLocation()
  const [text, setTexts] = useTexts()
  const code = text('code')
  const orderType = sideOf(text('orderType'))
  // All types are read, so that the counts of both sides stay in sight while one is filtered.
  const query = useQuery(read('orders', { params: { userId }, query: { code } }))

  const cancelAll = async () => {
    const all = code === '' ? '모든 종목의 미체결 주문을 취소합니다.' : `${code} 종목의 미체결 주문을 취소합니다.`
    const foreign = query.data?.filter((order) => order.foreign).length ?? 0
    const rest = `${FOREIGN} ${number(foreign)}건은 그대로 남습니다. 증권사 앱에서 취소해 주세요.`
    const note = foreign === 0 ? all : `${all} ${rest}`
    if (!(await ask.confirm('미체결 주문을 모두 취소할까요?', { note, yes: '모두 취소', danger: true }))) return
    await send('cancelOrders', { params: { userId }, query: { code } })
  }
  const cancel = (order: Order) => send('cancelOrder', { params: { userId, orderId: order.orderId }, body: order })
  const open = (order: Order) => {
    void ask.sheet(order.name, [
      ...(order.foreign
        ? []
        : [row('취소', () => cancel(order)), row('매매', () => navigate(`/${userId}/stock/${order.code}/trade`))]),
      row('이 종목만 보기', () => setTexts({ code: order.code })),
      row('모든 종목 보기', () => setTexts({ code: '' })),
    ])
  }
  const menu = [
    downloadItem('주문 내보내기(CSV)', 'exportTable', { params: { userId, table: 'orders' }, query: { code } }),
  ]
  if (admin) menu.push(row('CANCEL ALL', cancelAll, true))
  return (
    <Page title="Order" name="미체결 주문" homeHref={home} wide menu={menu}>
      <QueryView
        query={query}
        empty={{ when: (list) => list.length === 0, show: <Empty title="기다리는 주문이 없습니다" /> }}
      >
        {(list) => (
          <Orders
            list={list}
            code={code}
            selected={orderType}
            onSelect={(type) => setTexts({ orderType: type })}
            onClick={open}
          />
        )}
      </QueryView>
    </Page>
  )
}

type OrdersProps = ComponentProps<typeof OrderFilters> & { list: readonly Order[]; onClick: (order: Order) => void }

/** Counts of both sides, and the orders of the selected one. */
function Orders({ onClick, ...filters }: OrdersProps) {
  const { list, selected } = filters
  return (
    <>
      <OrderFilters {...filters} />
      <OrderList list={list.filter(({ orderType }) => selected === '' || orderType === selected)} onClick={onClick} />
    </>
  )
}

const sideOf = (side: string): Side => (side === 'BUY' || side === 'SELL' ? side : '')
