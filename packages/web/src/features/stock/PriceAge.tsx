import type { Timetable } from '@digger/core'
import type { Stock } from '@digger/contract'
import { seenAt } from '../../format/time.ts'
import { currentTimetable, isStreaming, marketPauseLabel } from '../../market/market.ts'
import { useNow } from '../../clock/now.ts'
import css from './PriceAge.module.css'

/** A price older than this has its time beside it, ms. */
const LATE_MS = 60_000

/** A note beside a price that is not of this minute: nobody traded since, none arrive, or the exchange rests. */
export function PriceAge({ stock }: { stock: Stock }) {
  const text = useNow((now) => ageOf(stock, now, currentTimetable(), isStreaming()))
  return text === '' ? null : <small className={css['age']}>{text}</small>
}

export function ageOf(
  { price, priceAt, nxt, priceSubscribed }: Pick<Stock, 'price' | 'priceAt' | 'nxt' | 'priceSubscribed'>,
  now: number,
  timetable: Timetable,
  streaming: boolean,
): string {
  if (price === null) return '시세 없음'
  if (priceAt === null) return '시각 모름'
  if (now - Date.parse(priceAt) <= LATE_MS) return ''
  // Where prices arrive, one that is old is the last trade there was.
  const open = streaming && priceSubscribed ? '체결' : '지연'
  return `${marketPauseLabel(nxt, now, timetable) || open} ${seenAt(priceAt, now)}`
}
