import { weekday } from './kst.ts'
import type { DayHours, Timetable } from './session.ts'

/*
 * Days of KRX, which NXT keeps too. Sources: [KRX] the exchange's own list (2024–2027, as of April 2026); [press] announced since;
 * [law] a public holiday by law, confirmation by the exchange not seen. Temporary holidays come two weeks ahead, so the
 * broker's own list and the operator correct these.
 */

/** Closed weekdays, MMDD. */
const CLOSED: Readonly<Record<string, string>> = {
  // [KRX], all: new year, 설 with a temporary day, 3·1절, labour day, children's day with Buddha's, presidential election, 현충일,
  // 광복절, 개천절, 추석, 한글날, Christmas, year end.
  2025: '0101 0127 0128 0129 0130 0303 0501 0505 0506 0603 0606 0815 1003 1006 1007 1008 1009 1225 1231',
  // [KRX]; [press] 2026-05-20: 0603 local elections, 0717 제헌절.
  2026: '0101 0216 0217 0218 0302 0501 0505 0525 0603 0717 0817 0924 0925 1005 1009 1225 1231',
  // [KRX]; [law]: 0503 and 0719, substitutes for labour day and 제헌절.
  2027: '0101 0208 0209 0301 0503 0505 0513 0719 0816 0914 0915 0916 1004 1011 1227 1231',
}

const hours = (of: number): number => of * 3_600

/** Everything before the open is an hour later, the close stays; NXT has no pre-market ([press] 2025-12, 2026-01-02; before NXT since 2017). */
const FIRST_SESSION: DayHours = { opensAt: hours(10), closesAt: hours(15.5), preMarketAt: null }
/** Open and close are an hour later, 20:00 stays; NXT has no pre-market ([press] 2025-10-30, several papers on 2025-11-13). */
const EXAM: DayHours = { opensAt: hours(10), closesAt: hours(16.5), preMarketAt: null }

const SPECIAL: readonly (readonly [day: string, hours: DayHours])[] = [
  // [press] each January; 2027 by the pattern of every year since 2017, its notice is due in December.
  ['20250102', FIRST_SESSION],
  ['20260102', FIRST_SESSION],
  ['20270104', FIRST_SESSION],
  // College entrance exam: [press] 2025; the days of 2026 and 2027 by the ministry, their hours by the pattern of every year.
  ['20251113', EXAM],
  ['20261119', EXAM],
  ['20271118', EXAM],
]

/** First and last KST day whose closures are known; about other days nobody should be sure. */
const COVERED_FROM = '20250101'
export const COVERED_UNTIL = '20271231'

export const isCovered = (day: string): boolean => COVERED_FROM <= day && day <= COVERED_UNTIL

/** What is known without asking anybody. */
export const knownTimetable = (of: Timetable['hours']): Timetable => ({
  hours: of,
  closed: new Set(Object.entries(CLOSED).flatMap(([year, days]) => days.split(' ').map((day) => `${year}${day}`))),
  special: new Map(SPECIAL),
})

/** Closed weekdays of a year whose days are known: each since 2020 had 14 or more. A broker's list reaches months ahead at most. */
const KNOWN_FROM = 10
/** KST month from whose beginning on the days of the next year ought to be known: the exchange announces them in December. */
const ASKED_FROM_MONTH = 11

/** The year, this one or from November on the next, whose closed days nobody has given yet; null: all that is needed is known. */
export function missingYear(today: string, { hours, closed }: Timetable): number | null {
  if (hours === 'always') return null
  const year = Number(today.slice(0, 4))
  const years = Number(today.slice(4, 6)) >= ASKED_FROM_MONTH ? [year, year + 1] : [year]
  const days = [...closed].filter((day) => weekday(day) % 6 !== 0)
  return years.find((one) => days.filter((day) => day.startsWith(String(one))).length < KNOWN_FROM) ?? null
}
