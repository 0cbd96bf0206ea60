import { OrderBox } from '../../components/OrderBox.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { SortableTable } from '../../components/SortableTable.tsx'
import { useWide } from '../../components/useWide.ts'
import { showRange, type Range } from '../../format/day.ts'
import { number, won } from '../../format/won.ts'
import css from './Broker.module.css'
import { sums, type ExecutedOrder, type ShownOrder } from './executedOrders.ts'
import { ShadowLink } from './ShadowLink.tsx'
import { executedColumns, MAX_LINES } from './orderColumns.tsx'

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

/** Boxes, or on wide windows the lines of a table. */
export function ExecutedOrderList({ list, onClick }: ListProps) {
  const isWide = useWide()
  const keys = keysOf(list)
  const keyOf = (row: ShownOrder): string => keys.get(row) ?? row.code
  if (isWide && list.length <= MAX_LINES)
    return (
      <SortableTable caption="체결 내역" columns={executedColumns(list)} rows={list} keyOf={keyOf} onOpen={onClick} />
    )
  return (
    <ul className={css['orders']}>
      {list.map((row) => (
        <li key={keyOf(row)}>
          <OrderBox {...row} at={row.orderDateTime} onClick={() => onClick(row)} />
        </li>
      ))}
    </ul>
  )
}

/** The broker's rows have no number of their own, and two may be alike in everything: the second gets a 2. */
function keysOf(list: readonly ShownOrder[]): ReadonlyMap<ShownOrder, string> {
  const seen = new Map<string, number>()
  return new Map(
    list.map((row) => {
      const key = `${row.code} ${row.orderType} ${row.orderDateTime} ${row.price} ${row.qty}`
      const times = (seen.get(key) ?? 0) + 1
      seen.set(key, times)
      return [row, `${key} ${times}`]
    }),
  )
}

/** Which days and which stock are shown. */
export const Shown = ({ range, code }: { range: Range; code: string }) => (
  <>
    <p className={css['range']}>
      <b>{showRange(range)}</b>
      {code !== '' && <span>{code}</span>}
    </p>
    <ShadowLink />
  </>
)
