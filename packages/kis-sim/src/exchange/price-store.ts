import { dailyLimits } from '@digger/core'
import { z } from 'zod'
import type { SimClock } from '../runtime/clock.ts'
import type { Exchange } from './exchange.ts'
import { loadWhole, saveWhole } from '../runtime/state-log.ts'

const FILE = 'prices.json'
/** A kill loses at most this much of the prices' way, real ms. Orders and money are never behind. */
const SAVE_EVERY_MS = 2_000

const Numbers = z.record(z.string(), z.union([z.number(), z.string()]))
const Yesterday = z.object({
  base: z.number(),
  limits: z.object({ lower: z.number(), upper: z.number() }),
  last: z.object({ KRX: z.number(), NXT: z.number(), UN: z.number() }),
})
const BestQuotes = z.object({ bid: z.number(), ask: z.number(), isEmpty: z.boolean() })
const Saved = z.object({
  firstDay: z.string(),
  issues: z.array(
    z.object({
      code: z.string(),
      bid: z.number(),
      ask: z.number(),
      /** Absent where the venues share one price. */
      nxt: BestQuotes.nullable().default(null),
      step: z.number(),
      /** Absent in files of before quotes could be late. */
      yesterday: Yesterday.nullable().default(null),
      tapes: z.object({ KRX: Numbers, NXT: Numbers, UN: Numbers }),
      history: z.array(
        z.object({
          day: z.string(),
          open: z.number(),
          high: z.number(),
          low: z.number(),
          close: z.number(),
          volume: z.number(),
          amount: z.number(),
        }),
      ),
    }),
  ),
})
type SavedPrices = z.infer<typeof Saved>

export function loadPrices(stateDir: string): SavedPrices | null {
  const saved = loadWhole(stateDir, FILE)
  return saved === null ? null : Saved.parse(saved)
}

/** Sets prices back to where they stood when they were saved. */
export function restorePrices(exchange: Exchange, saved: SavedPrices): void {
  for (const { code, bid, ask, nxt, step, yesterday, tapes, history } of saved.issues) {
    const issue = exchange.issues.get(code)
    if (!issue) continue
    Object.assign(issue, { step, yesterday, history })
    Object.assign(issue.quotes.KRX, { bid, ask })
    if (issue.hasOwnPrices) Object.assign(issue.quotes.NXT, nxt ?? { bid, ask })
    for (const venue of ['KRX', 'NXT', 'UN'] as const) issue.tapes[venue].restore(tapes[venue])
    issue.limits = dailyLimits(issue.base, issue.listing.kind)
  }
}

export function savePrices(stateDir: string, exchange: Exchange, firstDay: string): void {
  const issues = [...exchange.issues.values()].map((issue) => {
    const { listing, bid, ask, step, yesterday, tapes, history, quotes } = issue
    const { NXT } = quotes
    const nxt = issue.hasOwnPrices ? { bid: NXT.bid, ask: NXT.ask, isEmpty: NXT.isEmpty } : null
    return { code: listing.code, bid, ask, nxt, step, yesterday, tapes, history }
  })
  saveWhole(stateDir, FILE, { firstDay, issues })
}

export function savePricesRegularly(stateDir: string, exchange: Exchange, firstDay: string, clock: SimClock): void {
  clock.after(SAVE_EVERY_MS * clock.speed, () => {
    // Time that is moved by hand may pass in leaps of a thousand saves; then the save at the end must do.
    if (clock.moving) savePrices(stateDir, exchange, firstDay)
    savePricesRegularly(stateDir, exchange, firstDay, clock)
  })
}
