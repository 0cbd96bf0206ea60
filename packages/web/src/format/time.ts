import { kstIso } from '@digger/core'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Everything is shown in Korean time, wherever the phone is: `YY-MM-DD HH:mm:ss`. */
export const stamp = (iso: string): string => kstIso(Date.parse(iso)).slice(2, 19).replace('T', ' ')
/** `HH:mm:ss`. */
export const clock = (instant: number): string => kstIso(instant).slice(11, 19)

/** Time gone by, one decimal: seconds up to 60 s, minutes up to 60 min, hours up to 24 h, then days (spec 9). */
export function gap(ms: number): string {
  const past = Math.max(0, ms)
  if (past <= MINUTE) return `${(past / SECOND).toFixed(1)}초`
  if (past <= HOUR) return `${(past / MINUTE).toFixed(1)}분`
  if (past <= DAY) return `${(past / HOUR).toFixed(1)}시간`
  return `${(past / DAY).toFixed(1)}일`
}

/** When a price was seen: `15:30` today, `11-20 15:30` before. */
export function seenAt(iso: string, now: number): string {
  const text = kstIso(Date.parse(iso))
  return text.slice(0, 10) === kstIso(now).slice(0, 10) ? text.slice(11, 16) : text.slice(5, 16).replace('T', ' ')
}
/** `YYYYMMDDHHMMSS` in Korea, to compare with the times of candles. */
export const kstDigits = (iso: string): string => kstIso(Date.parse(iso)).slice(0, 19).replace(/\D/g, '')
