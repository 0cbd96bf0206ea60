import type { Clock } from '@digger/database'

/** The wait after a question that brought nothing, ms; doubled with each further one up to the maximum. */
const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000

interface Wait {
  readonly since: number
  readonly ms: number
}

/** Which stocks are not asked about for a while: the broker failed to answer for them, or knows no price (delisted, code changed). */
export class QuestionWaits {
  readonly #clock: Clock
  readonly #waits = new Map<string, Wait>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isWaiting(code: string): boolean {
    const wait = this.#waits.get(code)
    // Either way: the clock may have been set back.
    return wait !== undefined && Math.abs(this.#clock.now() - wait.since) < wait.ms
  }

  failed(code: string): void {
    const before = this.#waits.get(code)?.ms
    const ms = before === undefined ? FIRST_WAIT_MS : Math.min(before * 2, MAX_WAIT_MS)
    this.#waits.set(code, { since: this.#clock.now(), ms })
  }

  pause(code: string, ms: number): void {
    this.#waits.set(code, { since: this.#clock.now(), ms })
  }

  answered(code: string): void {
    this.#waits.delete(code)
  }
}
