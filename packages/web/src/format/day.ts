/** Days as the API has them: KST, YYYYMMDD. Arithmetic goes through UTC midnights, which no time zone bends. */
export interface Range {
  fromDate: string
  toDate: string
}

const isDay = /^\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/
const utc = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10).replaceAll('-', '')
const parts = (day: string): [number, number, number] => [
  Number(day.slice(0, 4)),
  Number(day.slice(4, 6)) - 1,
  Number(day.slice(6, 8)),
]

export const validDay = (text: string | null): string | null => (text !== null && isDay.test(text) ? text : null)
export function addDays(day: string, days: number): string {
  const [year, month, date] = parts(day)
  return utc(year, month, date + days)
}
/** The month that `day` lies in, moved by whole months. */
export function monthOf(day: string, move = 0): Range {
  const [year, month] = parts(day)
  return { fromDate: utc(year, month + move, 1), toDate: utc(year, month + move + 1, 0) }
}
export function yearOf(day: string, move = 0): Range {
  const [year] = parts(day)
  return { fromDate: utc(year + move, 0, 1), toDate: utc(year + move, 11, 31) }
}
/** The last `days` days, today included. */
export const lastDays = (today: string, days: number): Range => ({ fromDate: addDays(today, 1 - days), toDate: today })

/** `2026-11-21`. */
export const showDay = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}`
const WEEKDAYS = '일월화수목금토'
export const weekday = (day: string): string => WEEKDAYS.charAt(weekdayIndex(day))
/** 0 is Sunday. */
export function weekdayIndex(day: string): number {
  return new Date(Date.UTC(...parts(day))).getUTCDay()
}
/** Equal for equal ranges: what a menu compares. */
export const rangeKey = ({ fromDate, toDate }: Range): string => `${fromDate}-${toDate}`
export const showRange = ({ fromDate, toDate }: Range): string =>
  fromDate === toDate ? showDay(fromDate) : `${showDay(fromDate)} ~ ${showDay(toDate)}`
