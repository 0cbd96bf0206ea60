import type { Settings } from '../ladder/types.ts'
import { backtestBothWays } from './backtest.ts'
import type { Bars } from './bars.ts'
import { type BacktestResult, type BothWays, closingCosts, holdingGain } from './result.ts'

/** What one way through the bars gave. Amounts in won, days as `YYYYMMDD`. */
export interface Way extends Omit<BacktestResult, 'worstDay'> {
  /** Null: the shares held were never worth less than they cost. */
  readonly worstDay: string | null
  /** What holding shares for the most money that was in at one time would have brought. */
  readonly holding: number
  /** What selling all that is left at the last close would still cost. */
  readonly closing: number
}

export interface Run {
  readonly both: BothWays<Way>
  /** Percent of the days on which the price never came down to the highest price to buy at. */
  readonly above: number
}

/** What settings would have done with the bars, as people are told. `both`: where it is computed already. */
export function runOf(
  bars: Bars,
  settings: Settings,
  { kind, unkind }: BothWays<BacktestResult> = backtestBothWays(bars, settings),
): Run {
  const way = (result: BacktestResult): Way => ({
    ...result,
    worstDay: bars.days[result.worstDay] ?? null,
    holding: holdingGain(bars, result.mostIn),
    closing: closingCosts(bars, result.shares),
  })
  return { both: { kind: way(kind), unkind: way(unkind) }, above: daysAbove(bars, settings.maxBuyPrice) }
}

/** Percent of the days whose lowest price is above `price`. */
function daysAbove({ low, day, days }: Bars, price: number | null): number {
  if (price === null) return 0
  const reached = new Set<number>()
  for (let bar = 0; bar < low.length; bar += 1) if ((low[bar] ?? 0) <= price) reached.add(day[bar] ?? 0)
  return (100 * (days.length - reached.size)) / days.length
}
