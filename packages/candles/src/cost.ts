import { addDays, DAY_MS, kstDay, kstMidnight } from '@digger/core'
import type { CandleUnit } from '@digger/database'
import { wantedFrom } from './progress.ts'

/**
 * Calls that a step may take. A year has at most 262 weekdays, so three windows of 100 and one look whether anything is left, for adjusted
 * prices and for traded ones.
 */
export const CALLS_PER_YEAR = 8
/** From 8:00 to 20:00 there are 720 minutes at most, of which a call gives 120. */
export const CALLS_PER_MINUTE_DAY = 7
/** Of a week seven days are calendar, five of trading. */
const TRADING_SHARE = 5 / 7

interface Unfinished {
  readonly unit: CandleUnit
  readonly isComplete: boolean
  readonly from_day: string | null
  readonly note: string | null
}

/** What the rest of a series needs, about. What is given up needs nothing. */
export function callsLeft({ unit, isComplete, from_day: from, note }: Unfinished, now: number): number {
  if (isComplete || note !== null) return 0
  const today = kstDay(now)
  const days = (kstMidnight(from ?? addDays(today, 1)) - kstMidnight(wantedFrom(unit, today))) / DAY_MS
  if (days <= 0) return 0
  return unit === 'day'
    ? Math.ceil((days / 365) * CALLS_PER_YEAR)
    : Math.ceil(days * TRADING_SHARE * CALLS_PER_MINUTE_DAY)
}
