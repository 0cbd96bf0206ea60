/** Calls that were sent together are refused together: only a refusal at least this long after the one before counts, ms. */
const SAME_BURST_MS = 500
/** A refusal this long after the one before is a single one: the broker counts in a distributed way and is seldom wrong, ms. */
const ISOLATED_MS = 30_000
const WIDEN_FACTOR = 1.5
/** Wide enough for the three calls a second of a new customer, ms. */
const MAX_SPACING_MS = 400
/** Ms of spacing per ms of time: back from the widest to ten calls a second takes ten minutes. */
const NARROWING_RATE = 300 / 600_000

/**
 * The spacing of an app key's calls: wider when EGW00201 keeps coming, slowly back to its base. Instants are
 * `performance.now()`.
 */
export class CallSpacing {
  readonly #base: number
  #widened: number
  #widenedAt = 0
  #refusedAt = Number.NEGATIVE_INFINITY

  constructor(baseMs: number) {
    this.#base = baseMs
    this.#widened = baseMs
  }

  /** Ms between the starts of two calls. */
  current(now: number): number {
    return Math.max(this.#base, this.#widened - (now - this.#widenedAt) * NARROWING_RATE)
  }

  onRefusal(now: number): void {
    const since = now - this.#refusedAt
    if (since < SAME_BURST_MS) return
    this.#refusedAt = now
    if (since >= ISOLATED_MS && this.current(now) === this.#base) return
    this.#widened = Math.max(this.#base, Math.min(MAX_SPACING_MS, this.current(now) * WIDEN_FACTOR))
    this.#widenedAt = now
  }
}
