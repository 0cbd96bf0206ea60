import { kstDay, knownTimetable, type DayHours, type Timetable } from '@digger/core'
import { NotOfferedError, type KisRest } from '@digger/kis'

/** After a question that failed the same key asks again this much later, ms: the broker wants about one a day. */
const RETRY_MS = 600_000

/** What an operator says of a KST day: it is closed, it has hours of its own, or it is like any other. */
export type DayCorrection = 'closed' | 'normal' | DayHours

/** When the exchange is open: the shipped days, corrected by the broker's list (about once a day), and by the operator last. */
export class Timetables {
  readonly #known: Timetable
  #current: Timetable
  /** What the broker said of a day: newer words take the place of older ones. */
  readonly #listed = new Map<string, boolean>()
  #corrections: ReadonlyMap<string, DayCorrection> = new Map()
  #readOn: string | null = null
  #asking = false
  readonly #askedAt = new WeakMap<KisRest, number>()

  constructor(hours: Timetable['hours']) {
    this.#known = knownTimetable(hours)
    this.#current = this.#known
  }

  get current(): Timetable {
    return this.#current
  }

  /** The operator's days, all of them: they hold whatever the broker lists. */
  correct(corrections: ReadonlyMap<string, DayCorrection>): void {
    this.#corrections = corrections
    this.#combine()
  }

  /**
   * Asks until the list of the KST day came, one account at a time: a key that gets no answer keeps no other from asking.
   * Without the list the shipped days hold.
   */
  async refresh(rest: KisRest, now: number): Promise<void> {
    const today = kstDay(now)
    if (this.#current.hours === 'always' || this.#asking || this.#readOn === today) return
    // Either way: the clock may have been set back.
    if (Math.abs(now - (this.#askedAt.get(rest) ?? Number.NEGATIVE_INFINITY)) < RETRY_MS) return
    this.#asking = true
    this.#askedAt.set(rest, now)
    try {
      const days = await rest.holidays(today)
      for (const { day, open } of days) this.#listed.set(day, open)
      this.#combine()
      this.#readOn = today
    } catch (error) {
      // The paper host has no such list, today or in ten minutes.
      if (error instanceof NotOfferedError) this.#readOn = today
      throw error
    } finally {
      this.#asking = false
    }
  }

  #combine(): void {
    const closed = new Set(this.#known.closed)
    const special = new Map(this.#known.special)
    for (const [day, open] of this.#listed) {
      if (open) closed.delete(day)
      else closed.add(day)
    }
    for (const [day, correction] of this.#corrections) {
      closed.delete(day)
      special.delete(day)
      if (correction === 'closed') closed.add(day)
      else if (correction !== 'normal') special.set(day, correction)
    }
    this.#current = { ...this.#known, closed, special }
  }
}
