import { kstDay, type Timetable } from '@digger/core'
import type { KisRest } from '@digger/kis'

/**
 * Days on which the session starts late, minutes. College-entrance-exam days are announced year by year; the broker's
 * holiday list does not have them.
 */
const LATE_DAYS: readonly (readonly [day: string, minutes: number])[] = [['20261119', 60]]

/** When the exchange is open: hours fixed by configuration, closed days as the broker lists them (about once a day). */
export class Timetables {
  #current: Timetable
  #readOn: string | null = null

  constructor(hours: Timetable['hours']) {
    this.#current = { hours, closed: new Set(), shiftMinutes: new Map(LATE_DAYS) }
  }

  get current(): Timetable {
    return this.#current
  }

  /** Asks at most once a KST day. Without an answer weekends are known and the broker refuses the rest. */
  async refresh(rest: KisRest, now: number): Promise<void> {
    const today = kstDay(now)
    if (this.#current.hours === 'always' || this.#readOn === today) return
    this.#readOn = today
    const days = await rest.holidays(today)
    const closed = new Set([...this.#current.closed, ...days.filter((day) => !day.open).map((day) => day.day)])
    this.#current = { ...this.#current, closed }
  }
}
