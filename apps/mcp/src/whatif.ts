import type { Stock, StockHistory } from '@digger/contract'
import { barsOf, type Run, runOf, type Settings, settingsProblems } from '@digger/core'
import { z } from 'zod'
import { ApiError } from './api.ts'

const won = z.int().min(0).max(1_000_000_000_000).nullable()

/** Settings of a stock that are tried instead of those that are saved. */
export const Tried = z.strictObject({
  maxBuyPrice: won.optional().describe('won; no buy above it'),
  maxBuyAmount: won.optional().describe('won; what may be in the stock'),
  buyUnitPrice: won.optional().describe('won of each buy; 1 means one share each time'),
  buyPercent: z.number().min(-99).max(1_000).optional().describe('-1: buy at each fall of one percent'),
  sellPercent: z.number().min(-99).max(1_000).optional().describe('1.2: sell at 1.2 percent above'),
  recoverLastBuyPrice: z.boolean().optional(),
  autoBuy: z.boolean().optional(),
  autoSell: z.boolean().optional(),
  useMinSellPrice: z.boolean().optional(),
  minSellPrice: won.optional(),
  autoSellWithAvgPrice: z.boolean().optional(),
})
export type Tried = z.output<typeof Tried>

const SettingsRun = z.object({
  maxBuyPrice: z.int().nullable(),
  maxBuyAmount: z.int().nullable(),
  buyUnitPrice: z.int().nullable(),
  lastBuyPrice: z.int().nullable(),
  recoverLastBuyPrice: z.boolean(),
  autoBuy: z.boolean(),
  buyPercent: z.number(),
  autoSell: z.boolean(),
  sellPercent: z.number(),
  useMinSellPrice: z.boolean(),
  minSellPrice: z.int().nullable(),
  autoSellWithAvgPrice: z.boolean(),
})

const Way = z.object({
  buys: z.number(),
  sells: z.number(),
  mostIn: z.number(),
  worstLoss: z.number(),
  worstDay: z.string().nullable(),
  longestWait: z.number(),
  gross: z.number(),
  net: z.number(),
  fees: z.number(),
  tax: z.number(),
  lots: z.number(),
  shares: z.number(),
  cost: z.number(),
  openGain: z.number(),
  total: z.number(),
  holding: z.number(),
  closing: z.number(),
})

/** One run: by which settings, and what both ways through the days would have brought. Won. */
export const Past = z.object({
  settings: SettingsRun,
  both: z.object({ kind: Way, unkind: Way }),
  above: z.number().describe('percent of the days on which the price stayed above maxBuyPrice'),
})

/** The ladder begins anew in the past: where it stands now says nothing there. */
const savedSettings = (stock: Stock): Settings => ({ ...SettingsRun.parse(stock), lastBuyPrice: null })

/** What saved and tried settings would have done with the days. Throws ApiError where that cannot be said. */
export function pastOf(stock: Stock, history: StockHistory, tried: Tried) {
  const saved = savedSettings(stock)
  const settings: Settings = { ...saved, ...defined(tried) }
  const bars = barsOf(history, history)
  if (bars.length === 0) throw new ApiError(NO_BARS)
  const run = (of: Settings): { settings: Settings } & Run => {
    const [problem] = settingsProblems(of)
    if (problem !== undefined) throw new ApiError(`이 설정으로는 해 볼 수 없습니다. ${problem.text}`)
    return { settings: of, ...runOf(bars, of) }
  }
  return {
    days: { from: bars.days[0] ?? null, to: bars.days.at(-1) ?? null, count: bars.days.length },
    saved: run(saved),
    tried: run(settings),
  }
}

/** What was not said is as it is saved. */
const defined = (tried: Tried): Partial<Settings> =>
  Object.fromEntries(Object.entries(tried).filter(([, value]) => value !== undefined))

const NO_BARS = '이 기간의 지난 시세가 아직 없습니다. 기간을 바꾸거나, 시세가 모인 뒤 다시 해 주세요.'
