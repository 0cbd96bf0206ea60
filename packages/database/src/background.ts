/** What all of it together gets of one turn of the event loop, ms. From its price to its socket an order waits for three turns. */
const PART_MS = 2

/**
 * Work that may wait a moment, of every kind, one piece after the other in their order. In each turn of the event loop all of it
 * together gets a few milliseconds, so that what comes over a socket, as a price or the end of a commit, never waits for the rest.
 * Each turn does one piece at least: nothing waits for ever.
 */
export class Background {
  readonly #partMs: number
  readonly #now: () => number
  readonly #waiting: (() => void)[] = []
  /** When this turn's part ends. */
  #until = 0
  /** From the asking for a turn to its end. */
  #isUnderWay = false
  /** Whether the last piece goes on where it was waited for. */
  #isAwaited = false

  /** `now`: an even clock, ms. */
  constructor(partMs = PART_MS, now = () => performance.now()) {
    this.#partMs = partMs
    this.#now = now
  }

  /** Never at once: what the caller does comes first. */
  run(work: () => void): void {
    this.#waiting.push(work)
    if (!this.#isUnderWay) this.#ask()
  }

  /** Resolves when it is the caller's turn. What the caller does up to its next wait is its piece. */
  own(): Promise<void> {
    return new Promise((resolve) =>
      this.run(() => {
        this.#isAwaited = true
        resolve()
      }),
    )
  }

  #ask(): void {
    this.#isUnderWay = true
    setImmediate(() => {
      this.#until = this.#now() + this.#partMs
      this.#part()
    })
  }

  #part(): void {
    this.#isAwaited = false
    try {
      do this.#waiting.shift()?.()
      while (!this.#isAwaited && this.#waiting.length > 0 && this.#now() < this.#until)
    } finally {
      // Also where one has failed: the others are done all the same. A tick that a microtask asks for comes after all that awaited.
      if (this.#isAwaited) queueMicrotask(() => process.nextTick(() => this.#goOn()))
      else this.#goOn()
    }
  }

  #goOn(): void {
    if (this.#waiting.length === 0) this.#isUnderWay = false
    else if (this.#isAwaited && this.#now() < this.#until) this.#part()
    else this.#ask()
  }
}

/** The one of this process: each kind with a part of its own would add up to a turn that is too long. */
export const background = new Background()
