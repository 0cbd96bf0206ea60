/**
 * Korea has no summer time: KST is always UTC + 9 h. This package imports nothing of ours; `scripts/kst.test.ts` proves
 * that core means the same.
 */
const OFFSET_MS = 9 * 3_600_000
const DAY_MS = 86_400_000

/** KST calendar day `YYYYMMDD` of an instant. */
export const kstDay = (at: number): string => new Date(at + OFFSET_MS).toISOString().slice(0, 10).replaceAll('-', '')

/** KST time of day `HHMMSS` of an instant. */
export const kstTime = (at: number): string => new Date(at + OFFSET_MS).toISOString().slice(11, 19).replaceAll(':', '')

/** Instant of a KST day and time of day; NaN for what no calendar and no clock shows (30 February, 24:00). */
export function kstInstant(day: string, time: string): number {
  if (!/^\d{6}$/.test(time)) return Number.NaN
  const [hour, minute, second] = [Number(time.slice(0, 2)), Number(time.slice(2, 4)), Number(time.slice(4, 6))]
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN
  // A list is hundreds of instants of the same few days.
  if (lastDay.day !== day) lastDay = { day, midnight: midnightOf(day) }
  return lastDay.midnight + ((hour * 60 + minute) * 60 + second) * 1_000
}

/** The last day computed, cached. */
let lastDay = { day: '', midnight: Number.NaN }

function midnightOf(day: string): number {
  if (!/^\d{8}$/.test(day)) return Number.NaN
  const at = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6, 8))) - OFFSET_MS
  // Date.UTC carries what is too large over into the next month.
  return kstDay(at) === day ? at : Number.NaN
}

export const dayBefore = (day: string): string => kstDay(kstInstant(day, '000000') - DAY_MS)

export const dayAfter = (day: string): string => kstDay(kstInstant(day, '000000') + DAY_MS)

/** Monday to Friday. */
export const isWeekday = (day: string): boolean => new Date(kstInstant(day, '000000') + OFFSET_MS).getUTCDay() % 6 !== 0

/** First day of the month `months` before the month of `day`. */
export function monthStart(day: string, months: number): string {
  const at = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1 - months, 1)
  return new Date(at).toISOString().slice(0, 10).replaceAll('-', '')
}
