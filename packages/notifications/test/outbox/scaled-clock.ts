import type { Clock } from '@digger/database'

/** Time that runs so many times as fast as the machine's, over a restart, too. */
export class ScaledClock implements Clock {
  readonly #factor: number
  /** Where it agrees with the machine's, epoch ms. */
  readonly #origin: number

  constructor(factor: number, origin = Date.now()) {
    this.#factor = factor
    this.#origin = origin
  }

  now(): number {
    return Math.floor(this.#origin + (Date.now() - this.#origin) * this.#factor)
  }

  after(ms: number, run: () => void): () => void {
    const timer = setTimeout(run, Math.max(0, ms) / this.#factor)
    return () => clearTimeout(timer)
  }

  passed(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }
}
