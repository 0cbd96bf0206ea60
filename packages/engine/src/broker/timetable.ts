import { kstDay, type Timetable } from '@digger/core'
import { NotOfferedError, type KisRest } from '@digger/kis'

/**
 * Days on which the session starts late, minutes. College-entrance-exam days are announced year by year; the broker's
 * holiday list does not have them.
 */
const LATE_DAYS: readonly (readonly [day: string, minutes: number])[] = [['20261119', 60]]

/** After a question that failed the same key asks again this much later, ms: the broker wants about one a day. */
const RETRY_MS = 600_000

/** When the exchange is open: hours fixed by configuration, closed days as the broker lists them (about once a day). */
export class Timetables {
  #current: Timetable
  #readOn: string | null = null
  #asking = false
  readonly #askedAt = new WeakMap<KisRest, number>()

  constructor(hours: Timetable['hours']) {
    this.#current = { hours, closed: new Set(), shiftMinutes: new Map(LATE_DAYS) }
  }

  get current(): Timetable {
    return this.#current
  }

  /**
   * Asks until the list of the KST day came, one account at a time: a key that gets no answer keeps no other from asking.
   * Without the list weekends are known, and the broker refuses the rest.
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
      const closed = new Set([...this.#current.closed, ...days.filter((day) => !day.open).map((day) => day.day)])
      this.#current = { ...this.#current, closed }
      this.#readOn = today
    } catch (error) {
      // The paper host has no such list, today or in ten minutes.
      if (error instanceof NotOfferedError) this.#readOn = today
      throw error
    } finally {
      this.#asking = false
    }
  }
}
