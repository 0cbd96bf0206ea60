import type { Stock } from '@digger/contract'
import { seenAt } from '../../format/time.ts'
import { useNow } from '../../session/now.ts'
import css from './PriceAge.module.css'

/** A price older than this is called late, ms. */
const LATE_MS = 60_000

/** A word beside a price that is not of this minute. */
export function PriceAge({ stock }: { stock: Stock }) {
  const text = useNow((now) => ageOf(stock, now))
  return text === '' ? null : <small className={css['age']}>{text}</small>
}

export function ageOf({ price, priceAt }: Pick<Stock, 'price' | 'priceAt'>, now: number): string {
  if (price === null) return '시세 없음'
  if (priceAt === null) return '시각 모름'
  return now - Date.parse(priceAt) <= LATE_MS ? '' : `지연 ${seenAt(priceAt, now)}`
}
