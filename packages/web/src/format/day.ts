import { addDays, isDay, monthRange, weekday, yearRange } from '@digger/core'

/** Days as the API has them: KST, YYYYMMDD, both ends included. */
export interface Range {
  fromDate: string
  toDate: string
}

const rangeOf = ({ from, to }: { from: string; to: string }): Range => ({ fromDate: from, toDate: to })

export const validDay = (text: string | null): string | null => (text !== null && isDay(text) ? text : null)
/** The month that `day` lies in, moved by whole months. */
export const monthOf = (day: string, shift = 0): Range => rangeOf(monthRange(day, shift))
export const yearOf = (day: string, shift = 0): Range => rangeOf(yearRange(day, shift))
/** The last `days` days, today included. */
export const lastDays = (today: string, days: number): Range => ({ fromDate: addDays(today, 1 - days), toDate: today })

/** `2026-11-21`. */
export const showDay = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}`
const WEEKDAYS = '일월화수목금토'
export const weekdayName = (day: string): string => WEEKDAYS.charAt(weekday(day))
/** Equal for equal ranges: what a menu compares. */
export const rangeKey = ({ fromDate, toDate }: Range): string => `${fromDate}-${toDate}`
export const showRange = ({ fromDate, toDate }: Range): string =>
  fromDate === toDate ? showDay(fromDate) : `${showDay(fromDate)} ~ ${showDay(toDate)}`
