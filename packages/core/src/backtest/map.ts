import type { Settings } from '../ladder/types.ts'
import { backtestBothWays } from './backtest.ts'
import type { Bars } from './bars.ts'
import { rangeOf } from './result.ts'

/** One place of the map: these settings but for the two percents, and what they gain at least and at most, won. */
export interface MapCell {
  readonly buyPercent: number
  readonly sellPercent: number
  readonly total: readonly [low: number, high: number]
  readonly mostIn: readonly [low: number, high: number]
}

/** One row of the map of step down × step up: each sellPercent for one buyPercent, both ways. */
export function mapRow(
  bars: Bars,
  settings: Settings,
  buyPercent: number,
  sellPercents: readonly number[],
): readonly MapCell[] {
  return sellPercents.map((sellPercent) => {
    const both = backtestBothWays(bars, { ...settings, buyPercent, sellPercent })
    return {
      buyPercent,
      sellPercent,
      total: rangeOf(both, ({ total }) => total),
      mostIn: rangeOf(both, ({ mostIn }) => mostIn),
    }
  })
}

/** This many percents, evenly from `from` to `to`, to two decimals. */
export const percentsBetween = (from: number, to: number, many: number): readonly number[] =>
  Array.from({ length: many }, (_, at) => Math.round((from + ((to - from) * at) / (many - 1)) * 100) / 100)
