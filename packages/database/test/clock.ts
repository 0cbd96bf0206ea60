import type { Clock } from '../src/clock.ts'

/** Time that only `advance` moves. */
export class TestClock implements Clock {
  #now: number
  #timers: { at: number; run: () => void }[] = []

  constructor(start = Date.parse('2026-11-20T10:00:00+09:00')) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Somebody sets it back: what was to come in so many ms still does. */
  setBack(ms: number): void {
    this.#now -= ms
    for (const timer of this.#timers) timer.at -= ms
  }

  advance(ms: number): void {
    const until = this.#now + ms
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#timers = this.#timers.filter((other) => other !== next)
      this.#now = Math.max(this.#now, next.at)
      next.run()
    }
    this.#now = until
  }
}
