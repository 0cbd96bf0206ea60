import type { Candle } from '@digger/kis-sim'
import type { ReplayPlan } from './plan.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

export const CODES = ['100001', '100002', '100003'] as const

export function daily(date: string, code: string, prices: [number, number, number, number]): Candle {
  const [open, high, low, close] = prices
  return { day: date, code, name: `종목 ${code}`, market: 'KOSPI', open, high, low, close, volume: 1_000_000 }
}

/** A fall, a recovery, and a weekend between them. */
export const THREE_DAYS: ReplayPlan = {
  candles: CODES.flatMap((code, n) => {
    const at = (won: number) => won * (n + 1)
    return [
      daily('20260108', code, [at(50_000), at(50_500), at(46_000), at(46_500)]),
      daily('20260109', code, [at(46_500), at(48_500), at(44_000), at(48_000)]),
      daily('20260112', code, [at(48_000), at(52_000), at(47_000), at(51_500)]),
    ]
  }),
  settings: DEFAULT_SETTINGS,
  seed: 7,
  steps: 60,
  cash: 1_000_000_000,
}
