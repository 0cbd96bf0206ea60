import { DAY_MS, kstMidnight } from '@digger/core'

/** One candle. Won and shares. */
export interface Bar {
  /** Of a day: its number, counted from 1970. Of a minute: its place in the day, minutes from midnight. */
  readonly at: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  /** The close as it was traded, where `close` is at the price of a later share; else the same. */
  readonly traded: number
}

const FIRST_MIDNIGHT = kstMidnight('19700101')

export const dayNumber = (day: string): number => Math.round((kstMidnight(day) - FIRST_MIDNIGHT) / DAY_MS)

/** Thousands of bars are of the same few thousand days. */
const dayTexts = new Map<number, string>()

export function dayOf(number: number): string {
  const known = dayTexts.get(number)
  if (known !== undefined) return known
  const text = new Date(number * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
  dayTexts.set(number, text)
  return text
}

/** `HHMMSS` → minutes from midnight. */
export const minuteNumber = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(2, 4))

const two = (n: number): string => String(n).padStart(2, '0')

export const timeOf = (minute: number): string => `${two(Math.floor(minute / 60))}${two(minute % 60)}00`
