import { addDays, dayEnds, isTradingDay, kstDay, type Timetable, tradingDayBefore } from '@digger/core'
import type { CandleSeriesRow } from '@digger/database'
import type { Range } from './parts.ts'
import { wantedFrom } from './progress.ts'

/** Charts take a moment to have the last trades of a day, ms. */
const SETTLED_MS = 600_000
/** Days of before that are read again with new ones: at least eight of trading, in any week of holidays. */
const OVERLAP_DAYS = 21

/** The last day of trading that is over. */
export function lastFinishedDay(now: number, timetable: Timetable): string {
  const today = kstDay(now)
  if (isTradingDay(today, timetable) && now >= dayEnds(today, timetable).surely + SETTLED_MS) return today
  return tradingDayBefore(today, timetable)
}

/** What is to be read next. */
export type Step =
  /** New days, and some of before to see whether the broker has changed them. */
  | ({ readonly kind: 'append' } & Range)
  /** Days before those that are there. */
  | ({ readonly kind: 'back' } & Range)
  | { readonly kind: 'minutes'; readonly day: string; readonly isNew: boolean }
  | { readonly kind: 'end' }

type Read = Pick<CandleSeriesRow, 'from_day' | 'to_day'> & { readonly is_complete: boolean }

/** `last`: the last day to be read. */
export function nextDays({ from_day: from, to_day: to, is_complete }: Read, last: string): Step {
  if (from === null || to === null) return back(last, last)
  if (to < last) return { kind: 'append', from: later(from, addDays(to, -OVERLAP_DAYS)), to: last }
  if (is_complete || from <= wantedFrom('day', last)) return { kind: 'end' }
  return back(addDays(from, -1), last)
}

/** A year at most, since a year is what is kept in one. */
const back = (to: string, last: string): Step => ({
  kind: 'back',
  from: later(wantedFrom('day', last), `${to.slice(0, 4)}0101`),
  to,
})

/** `traded`: days of trading of this stock, oldest first. */
export function nextMinutes(
  { from_day: from, to_day: to, is_complete }: Read,
  last: string,
  traded: readonly string[],
): Step {
  const first = wantedFrom('minute', last)
  const wanted = traded.filter((day) => day >= first && day <= last)
  const added = to === null ? wanted.at(-1) : wanted.find((day) => day > to)
  if (added !== undefined) return { kind: 'minutes', day: added, isNew: true }
  const before = from === null || is_complete ? undefined : wanted.findLast((day) => day < from)
  return before === undefined ? { kind: 'end' } : { kind: 'minutes', day: before, isNew: false }
}

export const later = (a: string, b: string): string => (a > b ? a : b)
