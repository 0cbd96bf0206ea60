import type { KisEnv, Priority } from '../api.ts'

/** How fast one app key may call. Times are in ms; 0 switches a limit off. */
export interface RateLimits {
  /** From the start of any call to the start of the next. */
  readonly spacingMs: number
  /** From the start of an order to the start of the next. */
  readonly orderSpacingMs: number
  /** From the answer of one ledger query to the start of the next; they never overlap. */
  readonly ledgerSpacingMs: number
  /** The same between two balance queries, the heaviest of them. */
  readonly balanceSpacingMs: number
  /** No call of the key starts for this long after EGW00201 (calls per second). */
  readonly holdMs: number
  /** No ledger query starts for this long after EGW00215. */
  readonly ledgerHoldMs: number
  /** How many calls of each priority may wait; more are refused at once. */
  readonly maxQueued: Readonly<Record<Priority, number>>
  /** How many quotes may be in flight; of the three connections for queries one is left to the ledger, one to what runs in the background. */
  readonly maxQuotesInFlight: number
  /** How many connections there are for queries; orders have one of their own. */
  readonly queryConnections: number
}

/** Ten seconds of orders and of quotes at full speed, fifty of ledger queries: what waits longer is not worth asking. */
const MAX_QUEUED = { order: 100, ledger: 50, quote: 100 } as const

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
    maxQueued: MAX_QUEUED,
    maxQuotesInFlight: 1,
    queryConnections: 3,
  },
  paper: {
    spacingMs: 1_200,
    orderSpacingMs: 2_000,
    ledgerSpacingMs: 1_050,
    balanceSpacingMs: 2_000,
    holdMs: 1_200,
    ledgerHoldMs: 2_000,
    maxQueued: MAX_QUEUED,
    maxQuotesInFlight: 1,
    queryConnections: 3,
  },
}

/** For the first three days after an application for the API: 3 calls/s instead of 18 (notice of 2026-03-20). */
export const NEW_CUSTOMER: RateLimits = { ...DEFAULT_LIMITS.real, spacingMs: 400 }

/** The same limits in seconds that pass `speed` times as fast: where a pretend market runs ahead and its broker with it. */
export function atSpeed(limits: RateLimits, speed: number): RateLimits {
  const part = 1 / Math.max(1, speed)
  return {
    ...limits,
    spacingMs: limits.spacingMs * part,
    orderSpacingMs: limits.orderSpacingMs * part,
    ledgerSpacingMs: limits.ledgerSpacingMs * part,
    balanceSpacingMs: limits.balanceSpacingMs * part,
    holdMs: limits.holdMs * part,
    ledgerHoldMs: limits.ledgerHoldMs * part,
  }
}

/** For replays against the pretend broker. */
export const UNLIMITED: RateLimits = {
  spacingMs: 0,
  orderSpacingMs: 0,
  ledgerSpacingMs: 0,
  balanceSpacingMs: 0,
  holdMs: 0,
  ledgerHoldMs: 0,
  maxQueued: { order: 100_000, ledger: 100_000, quote: 100_000 },
  maxQuotesInFlight: 100,
  // Whoever moves time by hand must see every call that was made, none waiting for a connection.
  queryConnections: 16,
}
