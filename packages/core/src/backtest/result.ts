import { costs, netGain } from '../krx/cost.ts'
import type { Bars } from './bars.ts'

/** What settings would have done with the bars. Amounts in won. */
export interface BacktestResult {
  readonly buys: number
  readonly sells: number
  /** The most the open lots cost at one time. */
  readonly mostIn: number
  /** The most the shares held were worth below their cost, at the low of a bar, as a negative amount; 0: never below. */
  readonly worstLoss: number
  /** Place of the day of `worstLoss` in `bars.days`; −1: never below. */
  readonly worstDay: number
  /** The most trading days in a row without a trade. */
  readonly longestWait: number
  /** Realised by sales: by their prices, and after the costs of both sides. */
  readonly gross: number
  readonly net: number
  readonly fees: number
  readonly tax: number
  /** What is left at the end: lots, shares, their cost and what they are worth beyond it at the last close. */
  readonly lots: number
  readonly shares: number
  readonly cost: number
  readonly openGain: number
  /** All that was gained: cash and the worth of the shares, after all costs so far. */
  readonly total: number
}

/**
 * What came of an amount that bought at the first open and was sold at the last close, after costs, won. The other side of the
 * question what settings are good for.
 */
export function holdingGain(bars: Bars, amount: number): number {
  const last = bars.length - 1
  const [first = 0, end = 0] = [bars.open[0], bars.close[last]]
  const count = first === 0 ? 0 : Math.floor(amount / first)
  if (count === 0) return 0
  const { market, kind, days } = bars
  const [buyDay = '', sellDay = ''] = [days[0], days.at(-1)]
  return netGain({ market, kind, buyAmount: count * first, buyDay, sellAmount: count * end, sellDay })
}

/** What selling all that is left at the last close would cost, won. */
export function closingCosts(bars: Bars, shares: number): number {
  const { market, kind, days, close } = bars
  const amount = shares * (close[bars.length - 1] ?? 0)
  const { fee, tax } = costs({ side: 'sell', amount, market, kind, day: days.at(-1) ?? '' })
  return fee + tax
}

/** Both ways a bar may have gone: what is not known about a day makes a range. */
export interface BothWays<Figure> {
  /** Each bar went to its low first: what was bought there could sell at its high. */
  readonly kind: Figure
  /** Each bar went to its high first. */
  readonly unkind: Figure
}

/** The lower and the higher of a figure; the kind way is not always the better one. */
export function rangeOf(
  both: BothWays<BacktestResult>,
  figure: (of: BacktestResult) => number,
): readonly [number, number] {
  const [a, b] = [figure(both.kind), figure(both.unkind)]
  return a <= b ? [a, b] : [b, a]
}
