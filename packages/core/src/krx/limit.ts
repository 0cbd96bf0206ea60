import type { IssueKind, Market, PriceBand } from './types.ts'
import { ceilToTick, floorToTick, tickSize } from './tick.ts'

/** KONEX moves half as far: seen in real candles, where no KONEX day leaves ±15 % and many end exactly on it. */
const WIDTH_PERCENT = { KOSPI: 30, KOSDAQ: 30, KONEX: 15 } as const satisfies Record<Market, number>

/**
 * Lowest and highest price of the day around the base (previous KRX close, adjusted on rights days).
 * The width is cut to the tick *at the base*, the upper end once more to the tick where it lands.
 * Other rules hold on a listing's first day, in liquidation trading and for leveraged ETPs: the broker's own limits win.
 */
export function dailyLimits(base: number, kind: IssueKind, market: Market = 'KOSPI'): PriceBand {
  const tick = tickSize(base, kind)
  const width = Math.floor((base * WIDTH_PERCENT[market]) / 100 / tick) * tick
  return { lower: ceilToTick(base - width, kind), upper: floorToTick(base + width, kind) }
}
