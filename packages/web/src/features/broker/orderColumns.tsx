import type { Reply } from '@digger/contract'
import { Tag } from '../../components/Badge.tsx'
import type { Column } from '../../components/SortableTable.tsx'
import { stamp } from '../../format/time.ts'
import { number, signedPercent } from '../../format/won.ts'
import type { ShownOrder } from './executedOrders.ts'

export type OpenOrder = Reply<'orders'>[number]
type Prices = ReadonlyMap<string, number | null>

const SIDES = { BUY: 'blue', SELL: 'red' } as const

/** What open and executed orders have both. */
type AnyOrder = Pick<ShownOrder, 'orderType' | 'exchangeCode' | 'price' | 'qty' | 'orderDateTime' | 'amount'>

const amountOf = ({ amount, price, qty }: AnyOrder): number => amount ?? price * qty

const SIDE: Column<AnyOrder> = {
  name: '구분',
  text: true,
  by: ({ orderType }) => orderType,
  cell: ({ orderType, exchangeCode }) => (
    <>
      <Tag text={orderType} tone={SIDES[orderType]} /> {exchangeCode !== 'KRX' && <Tag text="NXT" tone="plain" />}
    </>
  ),
}

const PRICE: Column<AnyOrder> = {
  name: '가격',
  by: ({ price }) => price,
  cell: (order) => `${amountOf(order) === order.price * order.qty ? '' : '평균 '}${number(order.price)}`,
}

const AMOUNT: Column<AnyOrder> = { name: '금액', by: amountOf, cell: (order) => <b>{number(amountOf(order))}</b> }

const TIME: Column<AnyOrder> = {
  name: '시각',
  by: ({ orderDateTime }) => orderDateTime,
  cell: ({ orderDateTime }) =>
    orderDateTime === null ? '—' : <time dateTime={orderDateTime}>{stamp(orderDateTime)}</time>,
}

/** Per cent from the present price to the order's; null at the market, or where no price is known. */
export const distanceOf = ({ code, price }: Pick<OpenOrder, 'code' | 'price'>, prices: Prices | undefined) => {
  const now = prices?.get(code) ?? null
  return price === 0 || now === null ? null : ((price - now) / now) * 100
}

const OPEN_NAME: Column<OpenOrder> = {
  name: '종목',
  text: true,
  by: ({ name }) => name,
  cell: ({ name, foreign, auto, orderId }) => (
    <>
      {name}
      <small>
        {foreign ? '' : `${auto ? '자동' : '직접'} 주문 · `}번호 {orderId}
      </small>
    </>
  ),
}

const OPEN_QTY: Column<OpenOrder> = {
  name: '수량',
  by: ({ qty }) => qty,
  cell: ({ qty, filledQty }) => (
    <>
      {number(qty)}주{filledQty > 0 && <small>{number(filledQty)}주 체결</small>}
    </>
  ),
}

const distanceColumn = (prices: Prices): Column<OpenOrder> => ({
  name: '지금 값보다',
  by: (order) => distanceOf(order, prices),
  cell: (order) => {
    const distance = distanceOf(order, prices)
    return distance === null ? '—' : signedPercent(distance, 1)
  },
})

/** `prices`: won by code; without them there is no distance. */
export const openColumns = (prices: Prices | undefined): readonly Column<OpenOrder>[] => [
  OPEN_NAME,
  SIDE,
  PRICE,
  ...(prices === undefined ? [] : [distanceColumn(prices)]),
  OPEN_QTY,
  AMOUNT,
  TIME,
]

const MERGED_COLUMNS: readonly Column<ShownOrder>[] = [
  {
    name: '종목',
    text: true,
    by: ({ name }) => name,
    cell: ({ name, code }) => (
      <>
        {name}
        <small>{code}</small>
      </>
    ),
  },
  SIDE,
  PRICE,
  { name: '수량', by: ({ qty }) => qty, cell: ({ qty }) => `${number(qty)}주` },
  AMOUNT,
]
const SINGLE_COLUMNS: readonly Column<ShownOrder>[] = [...MERGED_COLUMNS, TIME]

/** Several orders in one line have no time. */
export const executedColumns = (list: readonly ShownOrder[]): readonly Column<ShownOrder>[] =>
  list.some(({ orderDateTime }) => orderDateTime !== null) ? SINGLE_COLUMNS : MERGED_COLUMNS

/** A longer list stays one of boxes: those out of sight are not drawn, lines of a table are. */
export const MAX_LINES = 500
