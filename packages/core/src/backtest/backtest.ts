import type { Settings } from '../ladder/types.ts'
import type { Bars } from './bars.ts'
import { Position, type TradeSink } from './position.ts'
import type { BacktestResult, BothWays } from './result.ts'
import { Walk } from './walk.ts'

/** Which extreme each bar went to first: all the low (`kind`), all the high (`unkind`), or by bar, 1 for the low. */
export type BarOrder = 'kind' | 'unkind' | Uint8Array

/** What else a run writes down while it goes. */
export interface RunRecording {
  readonly trades?: TradeSink | undefined
  /** Gets `total` at the close of each bar, won. As long as the bars. */
  readonly equity?: Float64Array | undefined
}

/**
 * Trades the bars again by the ladder's own rules, from an empty stock whose ladder has not begun. Every order fills whole at one
 * price, and money is there. A setting that cannot be saved neither buys nor sells.
 */
export function backtest(
  bars: Bars,
  settings: Settings,
  order: BarOrder,
  recording: RunRecording = {},
): BacktestResult {
  const { length, low, high, close, day } = bars
  const { equity = null } = recording
  const position = new Position({ ...settings, lastBuyPrice: null }, bars.kind, recording.trades ?? null)
  const walk = new Walk(bars, position)
  let [worstLoss, worstBar, longestWait, lastTrade, lastDay] = [0, -1, 0, 0, 0]
  let { nextBuy, nextSell, shares, cost, cash } = position
  for (let bar = 0; bar < length; bar += 1) {
    const bottom = low[bar] ?? 0
    let openGain: number
    if (bottom <= nextBuy || (high[bar] ?? 0) >= nextSell) {
      const trades = position.buys + position.sells
      walk.through(bar, order === 'kind' || (order !== 'unkind' && order[bar] === 1))
      ;({ nextBuy, nextSell, shares, cost, cash } = position)
      ;({ openGain } = walk)
      if (position.buys + position.sells !== trades) {
        lastDay = day[bar] ?? 0
        longestWait = Math.max(longestWait, lastDay - lastTrade)
        lastTrade = lastDay
      }
    } else openGain = shares * bottom - cost
    if (openGain < worstLoss) [worstLoss, worstBar] = [openGain, bar]
    if (equity !== null) equity[bar] = cash + shares * (close[bar] ?? 0)
  }
  const end = close[length - 1] ?? 0
  return {
    ...figuresOf(position),
    worstLoss,
    worstDay: worstBar < 0 ? -1 : (day[worstBar] ?? 0),
    longestWait: Math.max(longestWait, (day[length - 1] ?? 0) - lastTrade),
    openGain: shares * end - cost,
    total: cash + shares * end,
  }
}

function figuresOf({ buys, sells, mostIn, gross, net, fees, tax, lots, shares, cost }: Position) {
  return { buys, sells, mostIn, gross, net, fees, tax, lots, shares, cost }
}

/** Both ways the bars may have gone. */
export const backtestBothWays = (bars: Bars, settings: Settings): BothWays<BacktestResult> => ({
  kind: backtest(bars, settings, 'kind'),
  unkind: backtest(bars, settings, 'unkind'),
})
