import { addDays } from '@digger/core'
import type { Candle } from '../../../components/chart/candles.ts'

export type ChartRange = 'week' | 'month' | 'quarter' | 'minute'

export const CHART_RANGES: readonly (readonly [ChartRange, string])[] = [
  ['week', '1주'],
  ['month', '1개월'],
  ['quarter', '3개월'],
  ['minute', '분봉'],
]

export const chartRangeOf = (text: string): ChartRange =>
  CHART_RANGES.map(([range]) => range).find((range) => range === text) ?? 'quarter'

const DAYS = { week: 7, month: 31, quarter: 92 } as const

/** How many of the newest candles a range begins with. */
export function spanOf(range: ChartRange, candles: readonly Candle[]): number {
  const last = candles.at(-1)
  if (range === 'minute' || last === undefined) return candles.length
  const first = addDays(last.time.slice(0, 8), 1 - DAYS[range])
  return candles.filter(({ time }) => time.slice(0, 8) >= first).length
}
