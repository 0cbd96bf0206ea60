import type { Bars } from '@digger/core'
import type { Trades } from '../live-account.ts'

/**
 * The ladder of `SETTINGS` as a tight loop: lots are a falling stack, and nothing is general. Prices stay between 50,000 and 200,000
 * (tick 100), no auctions, the cap never reached, each bar to its high first; no costs, no report, no equity curve.
 */
export function tightLoop({ open, high, low, close, length }: Bars, trades: Trades): void {
  const bought = new Float64Array(1_000)
  const counts = new Float64Array(1_000)
  let held = 0
  let next = 75_000
  let target = Infinity
  const buy = (bar: number, price: number): void => {
    const count = Math.floor(200_000 / price)
    trades.add(bar, 1, price, count)
    bought[held] = price
    counts[held] = count
    held += 1
    next = below(price)
    target = above(price)
  }
  const rise = (bar: number, to: number, buysToo: boolean): void => {
    while (target <= to) {
      const price = target
      held -= 1
      trades.add(bar, 2, price, counts[held] ?? 0)
      next = below(held === 0 ? price : (bought[held - 1] ?? 0))
      target = held === 0 ? Infinity : above(bought[held - 1] ?? 0)
      if (buysToo && price <= next) buy(bar, price)
    }
  }
  const fall = (bar: number, to: number): void => {
    for (;;) {
      if (next < to) return
      buy(bar, next)
    }
  }
  for (let bar = 0; bar < length; bar += 1) {
    const [top = 0, bottom = 0] = [high[bar], low[bar]]
    if (top < target && bottom > next) continue
    const first = open[bar] ?? 0
    rise(bar, first, false)
    if (first <= next) buy(bar, first)
    rise(bar, top, true)
    if (bottom < top) fall(bar, bottom)
    rise(bar, close[bar] ?? 0, true)
  }
}

const below = (price: number): number =>
  Math.floor(Math.min(75_000, Math.floor((price * 99) / 100), price - 100) / 100) * 100
const above = (price: number): number => Math.ceil(Math.ceil((price * 1_012) / 1_000) / 100) * 100
