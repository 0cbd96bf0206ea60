import type { Clock } from '@digger/database'

export interface PaceParts {
  readonly clock: Clock
  /** How many calls a minute may have just now. */
  readonly perMinute: () => number
}

/** Spaces calls evenly, so that in no minute there are more than may be. One caller at a time. */
export class Pace {
  readonly #parts: PaceParts
  /** When the next call may leave, by the clock. */
  #nextAt = Number.NEGATIVE_INFINITY
  #stopped = false
  #wake: () => void = () => undefined

  constructor(parts: PaceParts) {
    this.#parts = parts
  }

  /** Resolves when so many calls may leave in a row; false: it was stopped. */
  async take(calls: number): Promise<boolean> {
    const { clock, perMinute } = this.#parts
    const wait = this.#nextAt - clock.now()
    if (wait > 0 && !this.#stopped)
      await new Promise<void>((resolve) => {
        const cancel = clock.after(wait, resolve)
        this.#wake = () => {
          cancel()
          resolve()
        }
      })
    if (this.#stopped) return false
    this.#nextAt = Math.max(clock.now(), this.#nextAt) + (calls * 60_000) / perMinute()
    return true
  }

  /** For good: whoever waits is let go. */
  stop(): void {
    this.#stopped = true
    this.#wake()
  }
}
