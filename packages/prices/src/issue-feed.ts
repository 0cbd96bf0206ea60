import { dayBegins, kstDay, type Book, type Timetable } from '@digger/core'
import type { KisRest, KisStockInfo } from '@digger/kis'
import type { Clock } from '@digger/database'
import { Questions } from './questions.ts'

/** Before the first session of a day, ms: time for some hundred stocks at one call in between others. */
const BEFORE_ALL_MS = 30 * 60_000

/** What the broker last said of an issue, and on which KST day: shared by all accounts, for it is the same for all. */
export type KnownIssues = Map<string, { readonly day: string; readonly info: KisStockInfo }>

export interface IssueFeedParts {
  readonly rest: Pick<KisRest, 'stockInfo'>
  readonly clock: Clock
  readonly known: KnownIssues
  readonly timetable: () => Timetable
  readonly found: (info: KisStockInfo) => void
  readonly problem: (error: unknown) => void
}

/**
 * Asks once a trading day, before it begins, what each stock is: its market, its name, and whether NXT trades it today. NXT takes
 * issues out for months at a day's notice, and back in (2025: 165 of them).
 */
export class IssueFeed {
  readonly #parts: IssueFeedParts
  readonly #questions: Questions
  readonly #reportedOn = new Map<string, string>()

  constructor(parts: IssueFeedParts) {
    this.#parts = parts
    this.#questions = new Questions(parts.clock, parts.problem, 1)
  }

  get busy(): boolean {
    return this.#questions.out > 0
  }

  /** About once a second. */
  tick(book: Book): void {
    const { clock, timetable } = this.#parts
    const now = clock.now()
    const day = kstDay(now)
    const begins = dayBegins(day, timetable())
    if (begins === null || now < begins - BEFORE_ALL_MS) return
    const missing = [...book.stocks.keys()].filter(
      (code) => this.#reportedOn.get(code) !== day && !this.#reportKnown(code, day),
    )
    this.#questions.ask(missing, (code) => this.#ask(code, day))
  }

  #reportKnown(code: string, day: string): boolean {
    const known = this.#parts.known.get(code)
    if (known?.day !== day) return false
    this.#report(code, day, known.info)
    return true
  }

  async #ask(code: string, day: string): Promise<boolean> {
    const info = await this.#parts.rest.stockInfo(code)
    if (info === null) return false
    this.#parts.known.set(code, { day, info })
    this.#report(code, day, info)
    return true
  }

  #report(code: string, day: string, info: KisStockInfo): void {
    this.#reportedOn.set(code, day)
    this.#parts.found(info)
  }
}
