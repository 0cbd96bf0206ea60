import type { Clock } from '@digger/database'

/** Questions out at once, unless it is said otherwise; the queue of the key keeps orders in front of them. */
const MAX_OUT = 3

/** The wait before a question is asked again that failed or brought nothing, ms: doubled each time up to the longest. */
const AGAIN_MS = 1_000
const AGAIN_MAX_MS = 60_000

interface Failed {
  readonly tries: number
  readonly notBefore: number
}

/**
 * Questions about stocks, a few at a time. A stock that the broker knows nothing of, or that fails, must not stand before all
 * others: it is asked after them, later each time, and one question is always left for prices.
 */
export class Questions {
  readonly #clock: Clock
  readonly #problem: (error: unknown) => void
  readonly #max: number
  readonly #out = new Set<string>()
  readonly #failed = new Map<string, Failed>()

  constructor(clock: Clock, problem: (error: unknown) => void, max = MAX_OUT) {
    this.#max = max
    this.#clock = clock
    this.#problem = problem
  }

  get out(): number {
    return this.#out.size
  }

  isOut(code: string): boolean {
    return this.#out.has(code)
  }

  /** `question` resolves with false, or the wait in ms, when it has to be asked again. */
  ask(codes: readonly string[], question: (code: string) => Promise<boolean | number>): void {
    for (const code of this.#failed.keys()) if (!codes.includes(code)) this.#failed.delete(code)
    for (const code of codes) if (!this.#failed.has(code) && this.#out.size < this.#max) this.#ask(code, question)
    // The one asked longest ago first.
    for (const [code, { notBefore }] of this.#failed)
      if (this.#isDue(notBefore) && this.#out.size < Math.max(1, this.#max - 1)) this.#ask(code, question)
  }

  /** A clock that was set back must not make anybody wait for hours. */
  #isDue(notBefore: number): boolean {
    const now = this.#clock.now()
    return now >= notBefore || now < notBefore - AGAIN_MAX_MS
  }

  /** One question in between, that nobody asks again. */
  askOne(code: string, question: () => Promise<void>): void {
    if (this.#out.size >= this.#max || this.#out.has(code)) return
    this.#out.add(code)
    question()
      .catch((error: unknown) => this.#problem(error))
      .finally(() => this.#out.delete(code))
  }

  #ask(code: string, question: (code: string) => Promise<boolean | number>): void {
    if (this.#out.has(code)) return
    this.#out.add(code)
    question(code)
      .then((answer) => (answer === true ? void this.#failed.delete(code) : this.#askLater(code, answer)))
      .catch((error: unknown) => {
        this.#askLater(code, false)
        this.#problem(error)
      })
      .finally(() => this.#out.delete(code))
  }

  #askLater(code: string, answer: false | number): void {
    const tries = (this.#failed.get(code)?.tries ?? 0) + 1
    const wait = answer === false ? Math.min(AGAIN_MS * 2 ** (tries - 1), AGAIN_MAX_MS) : answer
    this.#failed.delete(code)
    this.#failed.set(code, { tries, notBefore: this.#clock.now() + wait })
  }
}
