import type { SocketTimes } from './times.ts'

const HOUR_MS = 3_600_000

/** How long to wait before the next connection. Instants are `performance.now()`. */
export class BackOff {
  readonly #times: SocketTimes
  #attempts: number[] = []
  #failuresInRow = 0

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
  }

  /** Doubling, up to a fifth longer at random, and never more attempts per hour than allowed. */
  delay(now: number, random = Math.random()): number {
    const { backOffMs, backOffMaxMs } = this.#times
    const doubled = Math.min(backOffMaxMs, backOffMs * 2 ** Math.max(0, this.#failuresInRow - 1))
    return Math.max(doubled * (1 + random / 5), this.#freeAt(now) - now)
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
