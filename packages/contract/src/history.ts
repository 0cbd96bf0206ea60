import { z } from 'zod'
import * as e from './scalars.ts'

export const HistoryUnit = z.enum(['day', 'minute'])
export type HistoryUnit = z.infer<typeof HistoryUnit>

/** How far back the kept candles of one stock go. Days are KST `YYYYMMDD`. */
export const HistoryProgress = z.object({
  /** The first and the last day that are kept; null: none yet. */
  from: e.day.nullable(),
  to: e.day.nullable(),
  /** The day from which on they are to be kept. A stock that was listed later is complete all the same. */
  wantedFrom: e.day,
  isComplete: z.boolean(),
  /** For people: why it does not go on, or what is being done. */
  note: z.string().nullable(),
})
export type HistoryProgress = z.infer<typeof HistoryProgress>

/** `broker`: read from it; `imported`: from files; `both`: some days from either. */
export const HistorySource = z.enum(['broker', 'imported', 'both'])
export type HistorySource = z.infer<typeof HistorySource>

/** From `day` on a share is another one: prices of before times `ratio` are prices of the share of after (0.2: one became five). */
export const HistoryCorrection = z.object({ day: e.day, ratio: z.number() })
export type HistoryCorrection = z.infer<typeof HistoryCorrection>

const column = z.array(z.int())

/**
 * Kept candles in columns of the same length, oldest first: `days[i]`, `times[i]` (minutes only, `HHMMSS` of its begin), `open[i]` … are one
 * candle. Won and shares.
 */
export const StockHistory = z.object({
  code: z.string(),
  name: z.string(),
  kind: z.enum(['stock', 'etf']),
  market: z.enum(['KOSPI', 'KOSDAQ', 'KONEX']),
  unit: HistoryUnit,
  /** Null: nothing is kept yet. */
  source: HistorySource.nullable(),
  /** Whether all prices and counts are those of the share of today; if not, they jump at a split. */
  isAdjusted: z.boolean(),
  /** When the prices were last read whole as of the share of that day; null: never, or not from the broker. */
  adjustedAt: e.instant.nullable(),
  /** What became of the share within the days kept, as far as the broker's adjusted prices show it; oldest first. */
  corrections: z.array(HistoryCorrection),
  days: z.array(z.string()),
  times: z.array(z.string()).optional(),
  open: column,
  high: column,
  low: column,
  close: column,
  volume: column,
  progress: HistoryProgress,
})
export type StockHistory = z.infer<typeof StockHistory>

/** How far the history of each stock of an account is. */
export const HistoryOverview = z.object({
  stocks: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      kind: StockHistory.shape.kind,
      market: StockHistory.shape.market,
      day: HistoryProgress,
      minute: HistoryProgress,
    }),
  ),
})
export type HistoryOverview = z.infer<typeof HistoryOverview>

/** How the keeping of candles goes for the whole server. */
export const HistoryState = z.object({
  /** Stocks that any account has; of them those whose days, or minutes, are complete. */
  stocks: z.int().min(0),
  daysComplete: z.int().min(0),
  minutesComplete: z.int().min(0),
  /** What is read just now. */
  reading: z.array(z.object({ code: z.string(), name: z.string(), unit: HistoryUnit, upTo: e.day.nullable() })),
  /** When all is there if it goes on like this; null: it is, or nothing is read. */
  doneAt: e.instant.nullable(),
  /** Calls to the broker that are still needed, about. */
  callsLeft: z.int().min(0),
  /** For people, each once: what keeps some of it from being read. */
  notes: z.array(z.object({ text: z.string(), stocks: z.int().min(1) })),
})
export type HistoryState = z.infer<typeof HistoryState>
