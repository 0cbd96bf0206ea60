/*
 * Days of the pretend exchange, typed from the announcements by themselves: what a client believes of the calendar is none of
 * its business, and a mistake in one of the two lists shows in trials/agreement. Weekends need no entry.
 */

/** Kinds of days by their hours; see `market-hours.ts`. `halfHour`: everything before the open is half an hour late. */
export type DayKind = 'normal' | 'firstSession' | 'exam' | 'halfHour'

const year = (of: number, days: readonly (readonly [month: number, ...days: number[]])[]): string[] =>
  days.flatMap(([month, ...list]) =>
    list.map((day) => `${of}${String(month).padStart(2, '0')}${String(day).padStart(2, '0')}`),
  )

/** Weekdays on which KRX and NXT stay closed. */
export const CLOSED_DAYS: ReadonlySet<string> = new Set([
  ...year(2025, [
    [1, 1, 27, 28, 29, 30],
    [3, 3],
    [5, 1, 5, 6],
    [6, 3, 6],
    [8, 15],
    [10, 3, 6, 7, 8, 9],
    [12, 25, 31],
  ]),
  ...year(2026, [
    [1, 1],
    [2, 16, 17, 18],
    [3, 2],
    [5, 1, 5, 25],
    [6, 3],
    [7, 17],
    [8, 17],
    [9, 24, 25],
    [10, 5, 9],
    [12, 25, 31],
  ]),
  ...year(2027, [
    [1, 1],
    [2, 8, 9],
    [3, 1],
    [5, 3, 5, 13],
    [7, 19],
    [8, 16],
    [9, 14, 15, 16],
    [10, 4, 11],
    [12, 27, 31],
  ]),
])

export const DAY_KINDS: ReadonlyMap<string, DayKind> = new Map([
  ['20250102', 'firstSession'],
  ['20251113', 'exam'],
  ['20260102', 'firstSession'],
  ['20261119', 'exam'],
  ['20270104', 'firstSession'],
  ['20271118', 'exam'],
])
