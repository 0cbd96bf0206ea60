import type { Reply } from '@digger/contract'
import { Button } from '../../components/Button.tsx'
import { OrderBox } from '../../components/OrderBox.tsx'
import { Panel } from '../../components/Panel.tsx'
import { number, signedPercent } from '../../format/won.ts'
import css from './Broker.module.css'

type Order = Reply<'orders'>[number]
type Side = '' | 'BUY' | 'SELL'

interface FiltersProps {
  list: readonly Order[]
  code: string
  /** Of the stock that is shown alone; its code where it is not known. */
  name: string
  selected: Side
  onSelect: (side: Side) => void
  onShowAll: () => void
  onCancelAll: () => void
}

/** How many orders wait on each side. A press shows only that side, another press all. */
export function OrderFilters({ list, code, name, selected, onSelect, onShowAll, onCancelAll }: FiltersProps) {
  const own = list.filter(({ foreign }) => !foreign).length
  return (
    <Panel>
      {code !== '' && (
        <div className={css['range']}>
          <b>{name}</b> <span>{code}</span>
          <Button look="quiet" onClick={onShowAll}>
            모든 종목 보기
          </Button>
          {own > 0 && (
            <Button look="quiet" onClick={onCancelAll}>
              이 종목 주문 {number(own)}건 취소
            </Button>
          )}
        </div>
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
  /** Won by code, where they are known: for the distance of each order. */
  prices?: ReadonlyMap<string, number | null> | undefined
  onClick: (order: Order) => void
}

/** Our own orders, and apart from them those that somebody made at the broker. */
export function OrderList({ list, ...rest }: ListProps) {
  const foreign = list.filter((order) => order.foreign)
  return (
    <>
      <Rows list={list.filter((order) => !order.foreign)} {...rest} />
      {foreign.length > 0 && (
        <section className={css['foreign']} aria-label={FOREIGN}>
          <h2>{FOREIGN}</h2>
          <p>Digger가 낸 주문이 아니라서 여기서는 취소할 수 없습니다. 증권사 앱에서 취소해 주세요.</p>
          <Rows list={foreign} {...rest} />
        </section>
      )}
    </>
  )
}

function Rows({ list, prices, onClick }: ListProps) {
  return (
    <ul className={css['orders']}>
      {list.map((order) => (
        <li key={`${order.orderDateTime} ${order.orderId}`}>
          <OrderBox
            {...order}
            at={order.orderDateTime}
            note={noteOf(order, prices?.get(order.code) ?? null)}
            onClick={() => onClick(order)}
          />
        </li>
      ))}
    </ul>
  )
}

const noteOf = ({ filledQty, qty, price, auto, foreign, orderId }: Order, now: number | null): string =>
  [
    ...(distanceText(price, now) ?? []),
    foreign ? FOREIGN : `${auto ? '자동' : '직접'} 주문`,
    `번호 ${orderId}`,
    ...(filledQty > 0 ? [`${number(filledQty)}/${number(qty)}주 체결`] : []),
  ].join(' · ')

/** How far the price is from the order: "지금 값보다 +0.6%". Null: at the market, or no price is known. */
const distanceText = (price: number, now: number | null): [string] | null =>
  price === 0 || now === null ? null : [`지금 값보다 ${signedPercent(((price - now) / now) * 100, 1)}`]
