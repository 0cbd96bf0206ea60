import { won } from '../../../format/won.ts'
import { agoText } from '../quotes/oldPrice.ts'
import { StatusTags, type Designated } from '../StatusTags.tsx'
import css from './SellSheet.module.css'

interface Props {
  stock: Designated
  /** Undefined: stands elsewhere. */
  price: number | null | undefined
  /** Of the price; null: not known. */
  ageMs: number | null
}

/** What the stock costs now, as of when, and what the exchange does to it. */
export function QuotedPrice({ stock, price, ageMs }: Props) {
  const ago = ageMs === null ? null : agoText(ageMs)
  return (
    <>
      <StatusTags {...stock} />
      {price !== undefined && (
        <p className={css['now']}>
          현재가 <b>{won(price)}</b> {ago !== null && `(${ago} 시세)`}
        </p>
      )}
    </>
  )
}
