import { won } from '../../../format/won.ts'
import { StatusTags, type Designated } from '../StatusTags.tsx'
import css from './SellSheet.module.css'

interface Props {
  stock: Designated
  /** Undefined: stands elsewhere. */
  price: number | null | undefined
}

/** What the stock costs now, and what the exchange does to it. */
export function QuotedPrice({ stock, price }: Props) {
  return (
    <>
      <StatusTags {...stock} />
      {price !== undefined && (
        <p className={css['now']}>
          현재가 <b>{won(price)}</b>
        </p>
      )}
    </>
  )
}
