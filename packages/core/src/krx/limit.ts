import type { PriceBand } from '../ladder/types.ts'
import type { IssueKind } from './types.ts'
import { ceilToTick, floorToTick, tickSize } from './tick.ts'

/**
 * Lowest and highest price of the day: ±30 % of the base (previous KRX close, adjusted on rights days).
 * The width is cut to the tick *at the base*, the upper end once more to the tick where it lands.
 * Other rules hold on a listing's first day, in liquidation trading and for leveraged ETPs: the broker's own limits win.
 */
export function dailyLimits(base: number, kind: IssueKind): PriceBand {
  const tick = tickSize(base, kind)
  const width = Math.floor(Math.floor((base * 3) / 10) / tick) * tick
  return { lower: ceilToTick(base - width, kind), upper: floorToTick(base + width, kind) }
}
