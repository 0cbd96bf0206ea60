/** Refusals at least this long after the one before say something new: calls sent together are refused together, ms. */
const TOGETHER_MS = 500
/** A refusal this long after the one before is a single one: the broker counts in a distributed way and is seldom wrong, ms. */
const SINGLE_MS = 30_000
const WIDER = 1.5
/** Wide enough for the three calls a second of a new customer, ms. */
const WIDEST_MS = 400
/** Back from the widest to ten calls a second takes ten minutes, ms of spacing per ms of time. */
const SHRINK = 300 / 600_000

/** The spacing of an app key's calls: wider when EGW00201 keeps coming, slowly back to its base. Instants are `performance.now()`. */
export class Pace {
  readonly #base: number
  #wide: number
  #widenedAt = 0
  #refusedAt = Number.NEGATIVE_INFINITY

  constructor(baseMs: number) {
    this.#base = baseMs
    this.#wide = baseMs
  }

  /** Ms between the starts of two calls. */
  spacing(now: number): number {
    return Math.max(this.#base, this.#wide - (now - this.#widenedAt) * SHRINK)
  }

  refused(now: number): void {
    const since = now - this.#refusedAt
    if (since < TOGETHER_MS) return
    this.#refusedAt = now
    if (since >= SINGLE_MS && this.spacing(now) === this.#base) return
    this.#wide = Math.max(this.#base, Math.min(WIDEST_MS, this.spacing(now) * WIDER))
    this.#widenedAt = now
  }
}
