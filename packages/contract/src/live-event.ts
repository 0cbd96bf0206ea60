import type { z } from 'zod'
import type { Stock, Trade } from './entities.ts'
import type { Stops } from './stops.ts'

/** A message of `…/events` (SSE, `event:` = kind, `data:` = the rest as JSON). Prices come bundled, ten times a second at most; `base`: the day's. */
export type LiveEvent =
  | { kind: 'prices'; prices: { code: string; price: number; at: string; base: number | null }[] }
  | { kind: 'stocks'; stocks: Stock[] }
  /** The stock was deleted. One that is added again later comes in `stocks` and starts at version 1. */
  | { kind: 'removed'; code: string }
  /** The trades that a change touched, as `trades` of a stock gives them. Null: read the list anew. */
  | { kind: 'trades'; code: string; trades: Trade[] | null }
  | { kind: 'orders' }
  /** Money came or went at the broker without a trade. */
  | { kind: 'deposit' }
  | { kind: 'socket'; connected: boolean }
  | { kind: 'stop'; stops: z.infer<typeof Stops> }
  /** A limit changed: the user's, or by the opening of a day. */
  | { kind: 'limits' }
  | { kind: 'progress'; task: string; done: number; total: number }
