/** Korea has no daylight saving: KST is UTC+9, always. */
const OFFSET_MS = 9 * 3_600_000
export const DAY_MS = 86_400_000

const DAY_FORM = /^(\d{4})(\d{2})(\d{2})$/

/** KST calendar day `YYYYMMDD` of an instant (epoch ms). */
export function kstDay(ms: number): string {
  const midnight = Math.floor((ms + OFFSET_MS) / DAY_MS) * DAY_MS
  // Every event of an account asks, and it is nearly always the same day.
  if (lastDay.midnight !== midnight) lastDay = { midnight, day: dayOfMidnight(midnight) }
  return lastDay.day
}

/** The last day computed, cached. */
let lastDay = { midnight: Number.NaN, day: '' }

/** Whole seconds since KST midnight. */
export const kstClock = (ms: number): number => Math.floor(kstMsOfDay(ms) / 1000)

export const kstMsOfDay = (ms: number): number => {
  const rest = (ms + OFFSET_MS) % DAY_MS
  return rest < 0 ? rest + DAY_MS : rest
}

/** Epoch ms of a KST day and time. The broker writes times as text (`093354`) and as integers (93354); both are taken. */
export function kstInstant(day: string, hhmmss: string | number = 0): number {
  const time = Number(hhmmss)
  const [hours, minutes, seconds] = [Math.floor(time / 10_000), Math.floor(time / 100) % 100, time % 100]
  if (!Number.isInteger(time) || time < 0 || hours > 23 || minutes > 59 || seconds > 59) {
    throw new RangeError(`not a time of day: ${hhmmss}`)
  }
  return kstMidnight(day) + ((hours * 60 + minutes) * 60 + seconds) * 1000
}

/** Epoch ms at which a KST day begins. */
export const kstMidnight = (day: string): number => midnightUtc(day) - OFFSET_MS

/** The last date written out, cached: a list is hundreds of instants of the same few days. */
let lastDate = { midnight: Number.NaN, text: '' }

/** ISO 8601 with Korea's offset: `2026-09-14T09:00:00.000+09:00`. */
export function kstIso(ms: number): string {
  const rest = kstMsOfDay(Math.trunc(ms))
  const midnight = Math.trunc(ms) - rest
  if (lastDate.midnight !== midnight) {
    lastDate = { midnight, text: new Date(midnight + OFFSET_MS).toISOString().split('T', 1)[0] ?? '' }
  }
  const seconds = Math.floor(rest / 1000)
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return `${lastDate.text}T${clock}.${String(rest % 1000).padStart(3, '0')}+09:00`
}

const two = (n: number): string => (n < 10 ? `0${n}` : String(n))

/** `HHMMSS` as the broker writes it. */
export function kstTime(ms: number): string {
  const seconds = kstClock(ms)
  return `${two(Math.floor(seconds / 3600))}${two(Math.floor(seconds / 60) % 60)}${two(seconds % 60)}`
}

export const addDays = (day: string, n: number): string => dayOfMidnight(midnightUtc(day) + n * DAY_MS)

/** 0 Sunday … 6 Saturday. */
export const weekday = (day: string): number => new Date(midnightUtc(day)).getUTCDay()

/** First and last day of the month (`YYYYMM…`), moved by whole months. */
export function monthRange(day: string, shift = 0): { from: string; to: string } {
  const { year, month } = parts(day)
  return {
    from: dayOfMidnight(Date.UTC(year, month - 1 + shift, 1)),
    to: dayOfMidnight(Date.UTC(year, month + shift, 0)),
  }
}

/** First and last day of the year, moved by whole years. */
export function yearRange(day: string, shift = 0): { from: string; to: string } {
  const year = String(parts(day).year + shift).padStart(4, '0')
  return { from: `${year}0101`, to: `${year}1231` }
}

/** True for a real calendar day: `20260230` is none. */
export const isDay = (text: string): boolean =>
  DAY_FORM.test(text) && dayOfMidnight(Date.UTC(parts(text).year, parts(text).month - 1, parts(text).date)) === text

function midnightUtc(day: string): number {
  const { year, month, date } = parts(day)
  return Date.UTC(year, month - 1, date)
}

function parts(day: string): { year: number; month: number; date: number } {
  const match = DAY_FORM.exec(day)
  if (!match) throw new RangeError(`not a day: ${day}`)
  return { year: Number(match[1]), month: Number(match[2]), date: Number(match[3]) }
}

const dayOfMidnight = (utc: number): string => new Date(utc).toISOString().slice(0, 10).replaceAll('-', '')
