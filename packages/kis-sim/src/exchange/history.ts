import { addDays, floorToTick, weekday } from '@digger/core'
import { streamKey, unit } from '../runtime/random.ts'
import type { DayBar, SimIssue } from './issue.ts'

/** Weekdays of history before the market began: three years. */
const DAYS = 3 * 261

/** Everyday moves of the days before the market began: up to this share of the price. */
const MOVE = 0.04

const invented = new WeakMap<SimIssue, readonly DayBar[]>()

/** Days before `firstDay`, oldest first, made up from the seed so that the last one closes at the first base price. */
function before(issue: SimIssue, firstDay: string, seed: number): readonly DayBar[] {
  const known = invented.get(issue)
  if (known) return known
  const { code, base, kind } = issue.listing
  const key = streamKey(seed, code, 'history')
  const grid = (price: number): number => Math.max(1, floorToTick(price, kind))
  const bars: DayBar[] = []
  let close = base
  let day = firstDay
  for (let n = 0; n < DAYS; n++) {
    do day = addDays(day, -1)
    while (weekday(day) % 6 === 0)
    const draw = (i: number): number => unit(key, n * 8 + i)
    const open = grid(close * (1 + MOVE * (draw(0) - 0.5)))
    const high = Math.max(open, close, grid(Math.max(open, close) * (1 + (MOVE / 3) * draw(1))))
    const low = Math.min(open, close, grid(Math.min(open, close) * (1 - (MOVE / 3) * draw(2))))
    const volume = Math.round((2e10 * (0.3 + draw(3))) / close)
    bars.push({ day, open, high, low, close, volume, amount: Math.round((volume * (high + low + close)) / 3) })
    close = grid(open * (1 + MOVE * 0.5 * (draw(4) - 0.5)))
  }
  const result = bars.toReversed()
  invented.set(issue, result)
  return result
}

/** Every finished day, oldest first, and today so far when it traded. */
export function dayBars(issue: SimIssue, today: string, firstDay: string, seed: number): DayBar[] {
  const { UN, KRX } = issue.tapes
  const bars = [...before(issue, firstDay, seed), ...issue.history]
  if (UN.volume > 0) {
    const { open, high, low, volume, amount } = UN
    bars.push({ day: today, open, high, low, close: KRX.last, volume, amount })
  }
  return bars
}
