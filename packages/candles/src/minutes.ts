import type { CandlePartRow, CandleSource } from '@digger/database'
import { ratioAfter, ratioBetween, scaled } from './adjust.ts'
import { type Bar, dayNumber } from './bar.ts'
import type { Days } from './days.ts'
import { unpack } from './packed.ts'

/** The minutes of one day, at prices of the share of today. */
export interface MinuteDay {
  readonly day: string
  readonly bars: readonly Bar[]
  readonly source: CandleSource
  readonly isAdjusted: boolean
}

/** Of each day the row that goes before the others: minutes of two sources do not mix within a day. Oldest first. */
export function oneOfEachDay(rows: readonly CandlePartRow[]): CandlePartRow[] {
  const best = new Map<string, CandlePartRow>()
  for (const row of rows) {
    const other = best.get(row.part)
    if (other === undefined || rank(row) > rank(other)) best.set(row.part, row)
  }
  return [...best.values()].sort((a, b) => (a.part < b.part ? -1 : 1))
}

const rank = ({ source }: CandlePartRow): number => ({ fill: 0, broker: 1, imported: 2 })[source]

/**
 * As of which share the broker's minutes are nobody has published, and they were read on different days: the adjusted close of their day says
 * it.
 */
export function minutesOf(row: CandlePartRow, days: Days, byDay: ReadonlyMap<number, Bar>): MinuteDay {
  const { part: day, source, is_adjusted } = row
  const bars = unpack(row.bars)
  const { corrections } = days
  const reference = byDay.get(dayNumber(day))
  const close = bars.at(-1)?.close ?? 0
  const isKnown = reference !== undefined && reference.close > 0 && close > 0
  const otherwise = is_adjusted ? 1 : ratioAfter(day, corrections)
  const ratio = isKnown ? ratioBetween(day, corrections, { close, adjusted: reference.close }) : otherwise
  return {
    day,
    bars: bars.map((bar) => scaled(bar, ratio)),
    source,
    isAdjusted: is_adjusted || (isKnown && days.isAdjusted),
  }
}
