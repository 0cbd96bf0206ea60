/**
 * Work that may wait a moment: so many pieces of it in one turn of the event loop, in their order, so that what comes over a socket
 * meanwhile is not kept waiting for all of it. Without more of it than that, it is done at once.
 */
export class Turns {
  readonly #perTurn: number
  #room: number
  readonly #waiting: (() => void)[] = []
  #isSet = false

  constructor(perTurn: number) {
    this.#perTurn = perTurn
    this.#room = perTurn
  }

  /** Whether some of it waits for a later turn. */
  get isBusy(): boolean {
    return this.#waiting.length > 0
  }

  run(work: () => void): void {
    if (this.#room > 0 && this.#waiting.length === 0) {
      this.#room -= 1
      work()
    } else {
      this.#waiting.push(work)
      this.#next()
    }
  }

  /** Resolves when it is the caller's turn. */
  own(): Promise<void> {
    return new Promise((resolve) => this.run(resolve))
  }

  #next(): void {
    if (this.#isSet) return
    this.#isSet = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#isSet = false
    this.#room = this.#perTurn
    try {
      for (; this.#room > 0 && this.#waiting.length > 0; this.#room -= 1) this.#waiting.shift()?.()
    } finally {
      // Also where one has failed: the others are done all the same.
      if (this.#waiting.length > 0) this.#next()
    }
  }
}
