import { OrderBox } from '../../components/OrderBox.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { number, won } from '../../format/won.ts'
import css from './Broker.module.css'
import { sums, type ExecutedOrder, type ShownOrder } from './executedOrders.ts'

export function ExecutedOrderSums({ list }: { list: readonly ExecutedOrder[] }) {
  const { buy, sell, gap } = sums(list)
  return (
    <Panel>
      <dl className={css['sums']}>
        <div>
          <dt>BUY</dt>
          <dd>{number(buy.count)}주</dd>
          <dd>{won(buy.amount)}</dd>
        </div>
        <div>
          <dt>SELL</dt>
          <dd>{number(sell.count)}주</dd>
          <dd>{won(sell.amount)}</dd>
        </div>
        <div>
          <dt>GAP</dt>
          <dd />
          <dd>
            <Signed value={gap} />
          </dd>
        </div>
      </dl>
    </Panel>
  )
}

interface ListProps {
  list: readonly ShownOrder[]
  onClick: (row: ExecutedOrder) => void
}

export function ExecutedOrderList({ list, onClick }: ListProps) {
  return (
    <ul className={css['orders']}>
      {keyed(list).map(([key, row]) => (
        <li key={key}>
          <OrderBox {...row} at={row.orderDateTime} onClick={() => onClick(row)} />
        </li>
      ))}
    </ul>
  )
}

/** The broker's rows have no number of their own, and two may be alike in everything: the second gets a 2. */
function keyed(list: readonly ShownOrder[]): [key: string, row: ShownOrder][] {
  const seen = new Map<string, number>()
  return list.map((row) => {
    const key = `${row.code} ${row.orderType} ${row.orderDateTime} ${row.price} ${row.qty}`
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    return [`${key} ${times}`, row]
  })
}
