const WINDOW_MS = 60_000
const MOST = 20

/** Problems worth telling: a line that brings rubbish brings thousands a second. Instants are `performance.now()`. */
export class ProblemLimit {
  #since = Number.NEGATIVE_INFINITY
  #told = 0
  #kept = 0

  /** Whether to tell this one, and how many were kept back in the minute that just ended. */
  tell(now: number): { readonly tell: boolean; readonly kept: number } {
    let kept = 0
    if (now - this.#since >= WINDOW_MS) {
      kept = this.#kept
      this.#since = now
      this.#told = 0
      this.#kept = 0
    }
    const tell = this.#told < MOST
    if (tell) this.#told += 1
    else this.#kept += 1
    return { tell, kept }
  }
}
