import { isDay } from '@digger/core'
import { type Bar, dayNumber, minuteNumber } from '../bar.ts'

/** Cells of a line by the name of their column; those of the columns that this file has. */
export type Cells = Readonly<Record<string, string | undefined>>

export const DAY_COLUMNS = ['date', 'code', 'open', 'high', 'low', 'close', 'volume'] as const
export const MINUTE_COLUMNS = ['date', 'time', 'code', 'open', 'high', 'low', 'close', 'volume'] as const

/** One candle of a file; `bar` null: that day the stock was not traded, and has no prices. */
export interface ImportedRow {
  readonly code: string
  readonly day: string
  readonly bar: Bar | null
}

const CODE = /^(Q\d{6}|[0-9A-Z]{6})$/
/** Some programs write whole numbers with a fraction of nothing. */
const WHOLE = /^\d{1,15}(?:\.0+)?$/

/** What a line says, or in words what is wrong with it. `today`: the last day that can have candles. */
export function readImported(cells: Cells, unit: 'day' | 'minute', today: string): ImportedRow | string {
  const cell = (name: string): string => (cells[name] ?? '').trim()
  const [day, code] = [cell('date').replaceAll('-', ''), cell('code')]
  if (!isDay(day)) return `date "${cell('date')}"는 달력에 없는 날짜입니다`
  if (day > today) return `date ${day}는 아직 오지 않은 날입니다`
  if (!CODE.test(code)) return `code "${code}"는 종목코드가 아닙니다`
  const time = cell('time').replaceAll(':', '')
  if (unit === 'minute' && !isTime(time)) return `time "${cell('time')}"는 시각이 아닙니다`
  const numbers = ['open', 'high', 'low', 'close', 'volume'].map((name) => [name, cell(name)] as const)
  for (const [name, text] of numbers) if (!WHOLE.test(text)) return `${name} "${text}"는 0 이상의 정수가 아닙니다`
  const [open = 0, high = 0, low = 0, close = 0, volume = 0] = numbers.map(([, text]) => Number(text))
  if (volume === 0 && open === 0) return { code, day, bar: null }
  if (Math.min(open, high, low, close) < 1) return '값이 0인 가격이 있습니다'
  if (low > Math.min(open, close) || high < Math.max(open, close)) return '시가나 종가가 저가와 고가 사이에 없습니다'
  const at = unit === 'day' ? dayNumber(day) : minuteNumber(time)
  return { code, day, bar: { at, open, high, low, close, volume, traded: close } }
}

const isTime = (text: string): boolean => /^([01]\d|2[0-3])[0-5]\d([0-5]\d)?$/.test(text)
