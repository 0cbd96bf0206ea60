import type { Timetable } from '@digger/core'
import type { Stock } from '@digger/contract'
import { seenAt } from '../../format/time.ts'
import { market, stillness } from '../../session/market.ts'
import { useNow } from '../../session/now.ts'
import css from './PriceAge.module.css'

/** A price older than this is called late while the exchange is open, ms. */
const LATE_MS = 60_000

/** A word beside a price that is not of this minute: late, or the exchange rests. */
export function PriceAge({ stock }: { stock: Stock }) {
  const text = useNow((now) => ageOf(stock, now, market()))
  return text === '' ? null : <small className={css['age']}>{text}</small>
}

export function ageOf(
  { price, priceAt, nxt }: Pick<Stock, 'price' | 'priceAt' | 'nxt'>,
  now: number,
  of: Timetable,
): string {
  if (price === null) return '시세 없음'
  if (priceAt === null) return '시각 모름'
  if (now - Date.parse(priceAt) <= LATE_MS) return ''
  return `${stillness(nxt, now, of) || '지연'} ${seenAt(priceAt, now)}`
}
