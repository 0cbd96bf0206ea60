const WINDOW_MS = 60_000
const MAX_PER_WINDOW = 20

/** How many problems are worth reporting: a connection that brings rubbish brings thousands a second. Instants are `performance.now()`. */
export class ProblemLimiter {
  #since = Number.NEGATIVE_INFINITY
  #reported = 0
  #suppressed = 0

  /** Whether to report this one, and how many were suppressed in the minute that just ended. */
  next(now: number): { readonly report: boolean; readonly suppressed: number } {
    let suppressed = 0
    if (now - this.#since >= WINDOW_MS) {
      suppressed = this.#suppressed
      this.#since = now
      this.#reported = 0
      this.#suppressed = 0
    }
    const report = this.#reported < MAX_PER_WINDOW
    if (report) this.#reported += 1
    else this.#suppressed += 1
    return { report, suppressed }
  }
}
