import type { Candle } from '@digger/kis-sim'
import { actionsOf, settleMoves, withNewShares, type NewShare } from './new-share.ts'
import type { ReplayPlan } from './plan.ts'
import type { ReplayResult } from './replay.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

export const BONUS_CODE = '400001'
export const SPLIT_CODE = '400002'
export const PLAIN_CODE = '400003'
export const EX_DAY = '20260113'
export const CREDIT_DAY = '20260115'

/** A slow fall and a recovery; the split's share is not traded for two days before its own. */
const DAYS: readonly (readonly [day: string, prices: readonly [number, number, number, number]])[] = [
  ['20260108', [1, 1.005, 0.95, 0.96]],
  ['20260109', [0.96, 0.99, 0.945, 0.985]],
  ['20260112', [0.985, 0.99, 0.94, 0.95]],
  [EX_DAY, [0.95, 0.985, 0.935, 0.975]],
  ['20260114', [0.975, 0.98, 0.93, 0.935]],
  [CREDIT_DAY, [0.935, 1.02, 0.93, 1.01]],
]
const HALTED = new Set(['20260109', '20260112'])

export const candles: readonly Candle[] = [BONUS_CODE, SPLIT_CODE, PLAIN_CODE].flatMap((code, n) => {
  const first = 60_000 * (n + 1)
  return DAYS.map(([day, parts]): Candle => {
    const stands = code === SPLIT_CODE && HALTED.has(day)
    const [open, high, low, close] = parts.map((part) => Math.round((first * part) / 100) * 100)
    const prices = { open: open ?? 0, high: high ?? 0, low: low ?? 0, close: close ?? 0 }
    const stood = { open: 0, high: 0, low: 0, close: first * 0.96, volume: 0 }
    const traded = { ...prices, volume: 1_000_000 }
    return { day, code, name: `종목 ${code}`, market: 'KOSPI', ...(stands ? stood : traded) }
  })
})

const SHARES: readonly NewShare[] = [
  { code: BONUS_CODE, day: EX_DAY, ratio: 2, creditDay: CREDIT_DAY },
  { code: SPLIT_CODE, day: EX_DAY, ratio: 5, creditDay: EX_DAY },
]
export const PLAN: ReplayPlan = {
  candles: withNewShares(candles, SHARES),
  happenings: actionsOf(SHARES),
  settings: { ...DEFAULT_SETTINGS, buy: -1, sell: 1, unit: 300_000, cap: 6_000_000 },
  seed: 5,
  steps: 40,
  cash: 1_000_000_000,
}

export function settling(how: 'adjust' | 'keep') {
  const seen: string[] = []
  return { seen, owner: settleMoves(how, (line) => void seen.push(line)) }
}

export const filledOf = ({ book }: ReplayResult, code: string, day: string): number =>
  book.orders.filter((order) => order.code === code && order.day >= day && order.filled_count > 0).length
