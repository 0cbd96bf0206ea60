import type { Generated } from 'kysely'

export type CandleUnit = 'day' | 'minute'
export type CandleSource = 'broker' | 'imported' | 'fill'

/** How far the reading of a stock's candles is; see the migration. */
export interface CandleSeriesRow {
  code: string
  unit: CandleUnit
  shown: Generated<number>
  generation: Generated<number>
  from_day: string | null
  to_day: string | null
  is_complete: Generated<boolean>
  adjusted_at: number | null
  begun_at: number | null
  note: string | null
  empty_days: Generated<number>
  next_at: Generated<number>
  taken_by: string | null
  taken_until: Date | null
}

export interface CandlePartRow {
  code: string
  unit: CandleUnit
  source: CandleSource
  generation: number
  /** A year of days, or a day of minutes. */
  part: string
  is_adjusted: boolean
  first_day: string
  last_day: string
  bars: Buffer
}

export interface CandleTables {
  candle_series: CandleSeriesRow
  candle_part: CandlePartRow
}
