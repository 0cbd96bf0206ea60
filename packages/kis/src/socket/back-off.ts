import type { SocketTimes } from './times.ts'

const HOUR_MS = 3_600_000

/** How long to wait before the next connection. Instants are `performance.now()`. */
export class BackOff {
  readonly #times: SocketTimes
  #attempts: number[] = []
  #failuresInRow = 0
  /** Whether a new approval key was needed since a connection last lasted. */
  #keyRenewed = false

  constructor(times: SocketTimes) {
    this.#times = times
  }

  onAttempt(now: number): void {
    this.#attempts = [...this.#attempts.filter((at) => at > now - HOUR_MS), now]
    this.#failuresInRow += 1
  }

  /** The connection lasted: the next failure is a new story. */
  reset(): void {
    this.#failuresInRow = 0
    this.#keyRenewed = false
  }

  /** Doubling, up to a fifth longer at random, and never more attempts per hour than allowed. */
  delay(now: number, random = Math.random()): number {
    const { backOffMs, backOffMaxMs } = this.#times
    const doubled = Math.min(backOffMaxMs, backOffMs * 2 ** Math.max(0, this.#failuresInRow - 1))
    return Math.max(doubled * (1 + random / 5), this.#freeAt(now) - now)
  }

  /**
   * After the broker did not know the approval key, as it does after it restarts: that is no failure of the line, so the new
   * key is tried at once. When new keys are refused as well, the pauses are those of any failure.
   */
  delayForNewKey(now: number, random = Math.random()): number {
    if (this.#keyRenewed) return this.delay(now, random)
    this.#keyRenewed = true
    this.#failuresInRow = Math.max(0, this.#failuresInRow - 1)
    return Math.max(0, this.#freeAt(now) - now)
  }

  /** For a person who asks: not before the shortest pause since the last attempt. */
  shortestDelay(now: number): number {
    const last = this.#attempts.at(-1) ?? Number.NEGATIVE_INFINITY
    return Math.max(0, last + this.#times.backOffMs - now, this.#freeAt(now) - now)
  }

  #freeAt(now: number): number {
    const recent = this.#attempts.filter((at) => at > now - HOUR_MS)
    const oldest = recent.at(-this.#times.attemptsPerHour)
    return oldest === undefined ? now : oldest + HOUR_MS
  }
}
