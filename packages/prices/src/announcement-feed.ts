import { addDays, dayBegins, kstDay, type Book, type Timetable } from '@digger/core'
import type { KisActionKind, KisRest } from '@digger/kis'
import type { Clock } from '@digger/database'
import type { Announcements } from './announcements.ts'
import { Questions } from './questions.ts'

/** Before the first session of a day, ms. */
const BEFORE_ALL_MS = 30 * 60_000
/** Days around today whose record days are asked for: a split's share is traded some days after its own. */
const BACK_DAYS = 10
const AHEAD_DAYS = 40

const KINDS: readonly KisActionKind[] = ['bonusIssue', 'rightsIssue', 'stockDividend', 'faceValue']

interface Question {
  readonly kind: KisActionKind
  /** Empty: all stocks. */
  readonly code: string
}

export interface AnnouncementFeedParts {
  readonly rest: Pick<KisRest, 'announcements' | 'env'>
  readonly clock: Clock
  readonly known: Announcements
  readonly timetable: () => Timetable
  readonly problem: (error: unknown) => void
}

/**
 * Asks once a trading day, before it begins, what the depository has announced: four lists of all stocks, and of one stock where
 * a list is longer than the broker tells. The base of the day stays the judge; this says beforehand what will happen to it.
 */
export class AnnouncementFeed {
  readonly #parts: AnnouncementFeedParts
  readonly #questions: Questions
  readonly #reported = new Set<string>()

  constructor(parts: AnnouncementFeedParts) {
    this.#parts = parts
    this.#questions = new Questions(parts.clock, parts.problem, 1)
  }

  get busy(): boolean {
    return this.#questions.out > 0
  }

  /** About once a second. Paper has no such lists. */
  tick(book: Book): void {
    const { rest, clock, timetable, known } = this.#parts
    if (rest.env === 'paper') return
    const now = clock.now()
    const day = kstDay(now)
    const begins = dayBegins(day, timetable())
    if (begins === null || now < begins - BEFORE_ALL_MS) return
    const wanted = KINDS.flatMap((kind): Question[] =>
      known.isCut(kind) ? [...book.stocks.keys()].map((code) => ({ kind, code })) : [{ kind, code: '' }],
    )
    const missing = new Map(
      wanted.map((one) => [listOf(one), one] as const).filter(([list]) => !known.isKnown(list, day)),
    )
    this.#questions.ask([...missing.keys()], async (list) => {
      const one = missing.get(list)
      return one === undefined ? false : known.whileOut(list, () => this.#ask(one, day))
    })
  }

  async #ask(one: Question, day: string): Promise<boolean> {
    const { rest, known, timetable, problem } = this.#parts
    const [from, to] = [addDays(day, -BACK_DAYS), addDays(day, AHEAD_DAYS)]
    const { rows, isCut, unreadable } = await rest.announcements(one.kind, from, to, one.code)
    if (one.code === '') known.noteCut(one.kind, isCut)
    known.note(listOf(one), day, rows, timetable())
    for (const what of unreadable) {
      if (this.#reported.has(what)) continue
      this.#reported.add(what)
      problem(new Error(`announcement (${one.kind}) that cannot be read: ${what}`))
    }
    return true
  }
}

const listOf = ({ kind, code }: Question): string => `${kind} ${code}`
