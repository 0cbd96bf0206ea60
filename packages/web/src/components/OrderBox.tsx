import { stamp } from '../format/time.ts'
import { number, won } from '../format/won.ts'
import { Tag } from './Badge.tsx'
import css from './OrderBox.module.css'

interface Props {
  name: string
  orderType: 'BUY' | 'SELL'
  exchangeCode: string
  at: string | null
  price: number
  qty: number
  /** Won of several orders together: `price` is their average then, rounded up. */
  amount?: number
  /** Shown under the sum: how much is filled, who placed it. */
  note?: string
  onClick: () => void
}

/** An order, executed or open: price × qty = total. */
export function OrderBox({ name, orderType, exchangeCode, at, price, qty, amount, note, onClick }: Props) {
  return (
    <button type="button" className={css['box']} onClick={onClick}>
      <span className={css['head']}>
        <b>{name}</b>
        <Tag text={orderType} tone={orderType === 'BUY' ? 'blue' : 'red'} />
        {exchangeCode !== 'KRX' && <Tag text="NXT" tone="plain" />}
        {at !== null && <time dateTime={at}>{stamp(at)}</time>}
      </span>
      <span className={css['sum']}>
        {amount !== undefined && amount !== price * qty && '평균 '}
        {number(price)} × {number(qty)}주 = <b>{won(amount ?? price * qty)}</b>
      </span>
      {note && <span className={css['note']}>{note}</span>}
    </button>
  )
}
