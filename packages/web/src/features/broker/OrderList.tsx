import type { Reply } from '@digger/contract'
import { OrderBox } from '../../components/OrderBox.tsx'
import { Panel } from '../../components/Panel.tsx'
import { number } from '../../format/won.ts'
import css from './Broker.module.css'

type Order = Reply<'orders'>[number]
type Side = '' | 'BUY' | 'SELL'

interface FiltersProps {
  list: readonly Order[]
  code: string
  selected: Side
  onSelect: (side: Side) => void
}

/** How many orders wait on each side. A press shows only that side, another press all. */
export function OrderFilters({ list, code, selected, onSelect }: FiltersProps) {
  return (
    <Panel>
      {code !== '' && (
        <p className={css['range']}>
          종목 <span>{code}</span>
        </p>
      )}
      <div className={css['filters']}>
        {(['BUY', 'SELL'] as const).map((side) => (
          <button
            key={side}
            type="button"
            aria-pressed={selected === side}
            onClick={() => onSelect(selected === side ? '' : side)}
          >
            <b>{side}</b>
            <span>{number(list.filter(({ orderType }) => orderType === side).length)}건</span>
          </button>
        ))}
      </div>
    </Panel>
  )
}

/** What stands at orders that Digger did not make. */
export const FOREIGN = '증권사 앱 등에서 낸 주문'

interface ListProps {
  list: readonly Order[]
  onClick: (order: Order) => void
}

/** Our own orders, and apart from them those that somebody made at the broker. */
export function OrderList({ list, onClick }: ListProps) {
  const foreign = list.filter((order) => order.foreign)
  return (
    <>
      <Rows list={list.filter((order) => !order.foreign)} onClick={onClick} />
      {foreign.length > 0 && (
        <section className={css['foreign']} aria-label={FOREIGN}>
          <h2>{FOREIGN}</h2>
          <p>Digger가 낸 주문이 아니라서 여기서는 취소할 수 없습니다. 증권사 앱에서 취소해 주세요.</p>
          <Rows list={foreign} onClick={onClick} />
        </section>
      )}
    </>
  )
}

function Rows({ list, onClick }: ListProps) {
  return (
    <ul className={css['orders']}>
      {list.map((order) => (
        <li key={`${order.orderDateTime} ${order.orderId}`}>
          <OrderBox {...order} at={order.orderDateTime} note={noteOf(order)} onClick={() => onClick(order)} />
        </li>
      ))}
    </ul>
  )
}

const noteOf = ({ filledQty, qty, auto, foreign, orderId }: Order): string =>
  [
    foreign ? FOREIGN : `${auto ? '자동' : '직접'} 주문`,
    `번호 ${orderId}`,
    ...(filledQty > 0 ? [`${number(filledQty)}/${number(qty)}주 체결`] : []),
  ].join(' · ')
