import type { KisEnv } from '../api.ts'

/** How fast one app key may speak. All in ms; 0 switches a limit off. */
export interface RateLimits {
  /** Between the starts of any two calls. */
  readonly spacingMs: number
  /** Between the starts of two orders. */
  readonly orderSpacingMs: number
  /** From the answer of one ledger query to the start of the next; they never overlap. */
  readonly ledgerSpacingMs: number
  /** The same between two balance queries, the heaviest of them. */
  readonly balanceSpacingMs: number
  /** Silence on the whole key after EGW00201 (calls per second). */
  readonly holdMs: number
  /** Silence on the ledger after EGW00215. */
  readonly ledgerHoldMs: number
  /** Calls that may wait in one lane. */
  readonly queueMax: number
  /** Quotes on the wire at once; of the two connections for queries one is left to the ledger. */
  readonly quotesAtOnce: number
}

/**
 * Nominal limits are 18/s and 1/s, but they are counted in a distributed way: refusals were seen at a steady 15/s on real
 * and at 1.1 s between paper orders, so both stay well below.
 */
export const DEFAULT_LIMITS: Readonly<Record<KisEnv, RateLimits>> = {
  real: {
    spacingMs: 100,
    orderSpacingMs: 0,
    ledgerSpacingMs: 1_050,
    balanceSpacingMs: 2_000,
    holdMs: 1_000,
    ledgerHoldMs: 2_000,
    queueMax: 500,
    quotesAtOnce: 1,
  },
  paper: {
    spacingMs: 1_200,
    orderSpacingMs: 2_000,
    ledgerSpacingMs: 1_050,
    balanceSpacingMs: 2_000,
    holdMs: 1_200,
    ledgerHoldMs: 2_000,
    queueMax: 500,
    quotesAtOnce: 1,
  },
}

/** For replays against the pretend broker. */
export const UNLIMITED: RateLimits = {
  spacingMs: 0,
  orderSpacingMs: 0,
  ledgerSpacingMs: 0,
  balanceSpacingMs: 0,
  holdMs: 0,
  ledgerHoldMs: 0,
  queueMax: 100_000,
  quotesAtOnce: 100,
}
