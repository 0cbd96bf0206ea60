import type { Candle } from '@digger/kis-sim'
import type { ReplayPlan } from '../replay/replay.ts'
import { DEFAULT_SETTINGS } from '../replay/settings.ts'

/** Open, high, low and close of a day, in parts of a stock's first price. */
const DAYS: readonly (readonly [day: string, prices: readonly [number, number, number, number]])[] = [
  ['20260107', [1, 1.005, 0.95, 0.955]],
  ['20260108', [0.955, 0.99, 0.94, 0.985]],
  ['20260109', [0.985, 0.99, 0.93, 0.935]],
  ['20260112', [0.935, 1.01, 0.93, 1]],
  ['20260113', [1, 1.005, 0.97, 0.985]],
]
export const KRX_CODE = '300001'
export const NXT_CODE = '300002'
const STOCKS = [
  [KRX_CODE, 40_000],
  [NXT_CODE, 8_200],
  ['300003', 152_000],
] as const

/** Three stocks that fall and recover over a weekend. */
const candles: readonly Candle[] = STOCKS.flatMap(([code, first]) =>
  DAYS.map(([day, parts]) => {
    const [open = 0, high = 0, low = 0, close = 0] = parts.map((part) => Math.round(first * part))
    return { day, code, name: `종목 ${code}`, market: 'KOSPI', open, high, low, close, volume: 1_000_000 }
  }),
)

/**
 * One lot every half percent and as many resting sells. What became of a day's orders is read in the evening, but on Thursday
 * and Friday the broker's list is closed from before the close on: then it is learned the next morning, over the weekend.
 */
export const PLAN: ReplayPlan = {
  candles,
  settings: { ...DEFAULT_SETTINGS, buy: -1, sell: 1, unit: 300_000, cap: 6_000_000 },
  seed: 11,
  steps: 30,
  onNxt: [NXT_CODE],
  cash: 1_000_000_000,
  listsFailFrom: '152500',
  listsFailOn: ['20260108', '20260109'],
  evenings: ['160500', '190000', '200500', '234500'],
}
