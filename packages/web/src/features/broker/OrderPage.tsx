import { useQuery } from '@tanstack/react-query'
import { useMemo, type ComponentProps } from 'react'
import { useLocation } from 'wouter'
import { downloadItem } from '../../api/download.ts'
import { read } from '../../api/read.ts'
import { ask, row } from '../../ask/ask.ts'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { useHome, useViewer } from '../../viewer/viewer.ts'
import { useTexts } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import { OrderFilters, OrderList } from './OrderList.tsx'
import { cancelAll, orderMenu } from './orderActions.ts'
import { ShadowLink } from './ShadowLink.tsx'

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

  const stocks = useQuery(
    read('stocks', { params: { userId }, query: { withSavedGain: 'true', showOnlyWatch: 'false' } }),
  ).data
  const prices = useMemo(() => new Map(stocks?.map((stock) => [stock.code, stock.price])), [stocks])
  const name = (stocks ?? query.data ?? []).find((one) => one.code === code)?.name ?? code

  const showOnly = (shown: string) => setTexts({ code: shown })
  const cancel = () => void cancelAll(userId, code, code === '' ? '모든 종목' : name, query.data ?? [])
  const menu = [
    downloadItem('주문 내보내기(CSV)', 'exportTable', { params: { userId, table: 'orders' }, query: { code } }),
  ]
  if (admin) menu.push(row('CANCEL ALL', cancel, true))
  return (
    <Page title="Order" name="미체결 주문" homeHref={home} wide menu={menu}>
      <ShadowLink />
      <QueryView
        query={query}
        heights={[134, 94, 94, 94, 94, 94]}
        empty={{ when: (list) => list.length === 0 && code === '', show: <Empty title={NONE} /> }}
      >
        {(list) => (
          <Orders
            list={list}
            code={code}
            name={name}
            prices={prices}
            selected={orderType}
            onSelect={(type) => setTexts({ orderType: type })}
            onShowAll={() => showOnly('')}
            onCancelAll={cancel}
            onClick={(order) => void ask.sheet(order.name, orderMenu({ userId, order, navigate, showOnly }))}
          />
        )}
      </QueryView>
    </Page>
  )
}

const NONE = '기다리는 주문이 없습니다'

type OrdersProps = ComponentProps<typeof OrderFilters> & ComponentProps<typeof OrderList>

/** Counts of both sides, and the orders of the selected one; the ways back stay where none is left. */
function Orders({ onClick, prices, ...filters }: OrdersProps) {
  const { list, selected } = filters
  const shown = list.filter(({ orderType }) => selected === '' || orderType === selected)
  return (
    <>
      <OrderFilters {...filters} />
      {shown.length === 0 ? <Empty title={NONE} /> : <OrderList list={shown} prices={prices} onClick={onClick} />}
    </>
  )
}

const sideOf = (side: string): Side => (side === 'BUY' || side === 'SELL' ? side : '')
