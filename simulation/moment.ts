interface Waiting<T> {
  left: number
  readonly run: (what: T) => void
}

/** A moment in which something is half done. Faults that wait for one strike in the very step of it. */
export class Moment<T> {
  readonly #waiting = new Set<Waiting<T>>()

  /** Runs the next time, once. What it returns ends the waiting. */
  once(run: (what: T) => void): () => void {
    return this.nth(1, run)
  }

  /** Runs at the `count`th time from now, once. */
  nth(count: number, run: (what: T) => void): () => void {
    const one = { left: count, run }
    this.#waiting.add(one)
    return () => void this.#waiting.delete(one)
  }

  /** It has come. */
  come(what: T): void {
    const due = [...this.#waiting].filter((one) => (one.left -= 1) <= 0)
    for (const one of due) this.#waiting.delete(one)
    for (const { run } of due) run(what)
  }
}
