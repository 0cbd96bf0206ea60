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

  /** Resolves when it is the caller's turn. */
  own(): Promise<void> {
    return new Promise((resolve) => this.run(resolve))
  }

  #ask(): void {
    this.#isUnderWay = true
    setImmediate(() => {
      this.#until = this.#now() + this.#partMs
      this.#one()
    })
  }

  #one(): void {
    const work = this.#waiting.shift()
    // A piece is over when whoever awaited it has come to its own next wait: a tick that a microtask asks for comes after all of them.
    // Asked for before the piece is begun, so that one that fails keeps no other from being done.
    queueMicrotask(() => process.nextTick(() => this.#goOn()))
    work?.()
  }

  #goOn(): void {
    if (this.#waiting.length === 0) this.#isUnderWay = false
    else if (this.#now() < this.#until) this.#one()
    else this.#ask()
  }
}

/** The one of this process: each kind with a part of its own would add up to a turn that is too long. */
export const background = new Background()
