import type { Clock } from '@digger/database'
import { QuestionWaits } from './question-waits.ts'

/** Questions out at once, unless it is said otherwise; the queue of the key keeps orders in front of them. */
const MAX_OUT = 3

/**
 * Questions about stocks, a few at a time. A stock that the broker knows nothing of, or that fails, must not stand before all
 * others: it is asked after them, later each time, and one question is always left for prices.
 */
export class Questions {
  readonly #problem: (error: unknown) => void
  readonly #max: number
  readonly #out = new Set<string>()
  /** What waits for something slow, and keeps no place from others meanwhile. */
  readonly #aside = new Set<string>()
  /** Codes whose last question failed or came too early, the one asked longest ago first. */
  readonly #late = new Set<string>()
  /** After a failure nothing at all is asked about a stock for a while; after one of what was set aside, or too early, only that. */
  readonly #failures: QuestionWaits
  readonly #slowFailures: QuestionWaits
  readonly #pauses: QuestionWaits

  constructor(clock: Clock, problem: (error: unknown) => void, max = MAX_OUT) {
    this.#failures = new QuestionWaits(clock)
    this.#slowFailures = new QuestionWaits(clock)
    this.#pauses = new QuestionWaits(clock)
    this.#problem = problem
    this.#max = max
  }

  get out(): number {
    return this.#out.size + this.#aside.size
  }

  /** Nothing is asked about it now: an answer is awaited, or it failed a moment ago. */
  isHeld(code: string): boolean {
    return this.#out.has(code) || this.#failures.isWaiting(code)
  }

  /** `question` resolves with false when it brought nothing, and with a wait in ms when it came too early. */
  ask(codes: readonly string[], question: (code: string) => Promise<boolean | number>): void {
    for (const code of codes) if (!this.#late.has(code) && this.#out.size < this.#max) this.#ask(code, question)
    for (const code of this.#late) {
      if (!codes.includes(code)) this.#late.delete(code)
      else if (this.#out.size < Math.max(1, this.#max - 1) && !this.#isPaused(code)) this.#ask(code, question)
    }
  }

  #isPaused(code: string): boolean {
    return this.#pauses.isWaiting(code) || this.#slowFailures.isWaiting(code)
  }

  /** A question of `ask` waits from now on for what may be slow: its place is free, and the stock may be asked about in between. */
  setAside(code: string): void {
    if (!this.#aside.has(code) && this.#out.delete(code)) this.#aside.add(code)
  }

  /** One question in between, that nobody asks again. False: it brought nothing. */
  askOne(code: string, question: () => Promise<boolean>): void {
    if (this.#out.size < this.#max && !this.isHeld(code))
      void this.#run(code, question, () => this.#failures).finally(() => this.#out.delete(code))
  }

  #ask(code: string, question: (code: string) => Promise<boolean | number>): void {
    if (this.isHeld(code) || this.#aside.has(code)) return
    // Behind all others, until it is answered.
    this.#late.delete(code)
    this.#late.add(code)
    const ask = async (): Promise<boolean> => {
      const answer = await question(code)
      if (typeof answer === 'number') this.#pauses.pause(code, answer)
      else if (answer) this.#late.delete(code)
      return answer !== false
    }
    const waits = (): QuestionWaits => (this.#aside.has(code) ? this.#slowFailures : this.#failures)
    void this.#run(code, ask, waits).finally(() => this.#aside.delete(code) || this.#out.delete(code))
  }

  /** `waits`: whom a failure makes wait. */
  async #run(code: string, question: () => Promise<boolean>, waits: () => QuestionWaits): Promise<void> {
    this.#out.add(code)
    try {
      if (await question()) waits().answered(code)
      else waits().failed(code)
    } catch (error) {
      waits().failed(code)
      this.#problem(error)
    }
  }
}
