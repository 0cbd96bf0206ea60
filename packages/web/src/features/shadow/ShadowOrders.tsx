import type { ShadowOrder } from '@digger/contract'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { Tag } from '../../components/Badge.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { stamp } from '../../format/time.ts'
import { number, won } from '../../format/won.ts'
import { usePathUser } from '../../url/user.ts'
import css from './Shadow.module.css'
import { fateOf } from './shadowText.ts'

const REFETCH_INTERVAL_MS = 5_000

/** Orders of today that would have been sent; never among the real ones. */
export function ShadowOrders() {
  const userId = usePathUser()
  const query = useQuery({
    ...read('shadowOrders', { params: { userId }, query: {} }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })
  return (
    <Panel label="보냈을 주문">
      <h2>오늘 보냈을 주문</h2>
      <QueryView
        query={query}
        heights={[70, 70]}
        empty={{ when: (list) => list.length === 0, show: <Empty title="오늘 보냈을 주문이 없습니다" /> }}
      >
        {(list) => (
          <ul className={css['list']}>
            {list.map((order) => (
              <Line key={`${order.orderDateTime} ${order.orderId}`} order={order} />
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  )
}

function Line({ order }: { order: ShadowOrder }) {
  const { name, orderType, price, qty, orderDateTime, auto, why } = order
  return (
    <li>
      <p className={css['line']}>
        <span>
          <b>{name}</b> <Tag text={orderType} tone={orderType === 'BUY' ? 'blue' : 'red'} />
        </span>
        {orderDateTime !== null && <time dateTime={orderDateTime}>{stamp(orderDateTime)}</time>}
      </p>
      <p className={css['line']}>
        <span>
          {price === 0 ? '시장가' : won(price)} × {number(qty)}주
        </span>
        <b>{fateOf(order)}</b>
      </p>
      <p className={css['note']}>
        {auto ? '자동 주문' : '직접 낸 주문'} · 보내지 않음 · {why}
      </p>
    </li>
  )
}
