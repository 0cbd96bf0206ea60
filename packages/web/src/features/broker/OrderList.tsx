import { useDeferredValue, useMemo } from 'react'
import { Button } from '../../components/Button.tsx'
import { OrderBox } from '../../components/OrderBox.tsx'
import { Panel } from '../../components/Panel.tsx'
import { SortableTable } from '../../components/SortableTable.tsx'
import { useWide } from '../../components/useWide.ts'
import { number, signedPercent } from '../../format/won.ts'
import css from './Broker.module.css'
import { distanceOf, MAX_LINES, openColumns, type OpenOrder as Order } from './orderColumns.tsx'

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
      <Rows caption="미체결 주문" list={list.filter((order) => !order.foreign)} {...rest} />
      {foreign.length > 0 && (
        <section className={css['foreign']} aria-label={FOREIGN}>
          <h2>{FOREIGN}</h2>
          <p>Digger가 낸 주문이 아니라서 여기서는 취소할 수 없습니다. 증권사 앱에서 취소해 주세요.</p>
          <Rows caption={FOREIGN} list={foreign} {...rest} />
        </section>
      )}
    </>
  )
}

const keyOf = ({ orderDateTime, orderId }: Order): string => `${orderDateTime} ${orderId}`

/** Boxes, or on wide windows the lines of a table. */
function Rows({ caption, list, prices, onClick }: ListProps & { caption: string }) {
  const isWide = useWide()
  // A price draws all lines anew: presses go first.
  const shown = useDeferredValue(prices)
  const columns = useMemo(() => openColumns(shown), [shown])
  if (isWide && list.length > 0 && list.length <= MAX_LINES)
    return <SortableTable caption={caption} columns={columns} rows={list} keyOf={keyOf} onOpen={onClick} />
  return (
    <ul className={css['orders']}>
      {list.map((order) => (
        <li key={keyOf(order)}>
          <OrderBox
            {...order}
            at={order.orderDateTime}
            note={noteOf(order, distanceOf(order, prices))}
            onClick={() => onClick(order)}
          />
        </li>
      ))}
    </ul>
  )
}

/** `distance`: per cent from the present price; null where there is none. */
const noteOf = ({ filledQty, qty, auto, foreign, orderId }: Order, distance: number | null): string =>
  [
    ...(distance === null ? [] : [`지금 값보다 ${signedPercent(distance, 1)}`]),
    foreign ? FOREIGN : `${auto ? '자동' : '직접'} 주문`,
    `번호 ${orderId}`,
    ...(filledQty > 0 ? [`${number(filledQty)}/${number(qty)}주 체결`] : []),
  ].join(' · ')
