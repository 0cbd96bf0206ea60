import { Refused } from '@digger/contract'
import { correctionProblem, correctionText, kstDay, missingYear, type DayCorrection } from '@digger/core'
import {
  deleteCalendarDay,
  readCalendarDays,
  writeCalendarDay,
  type Clock,
  type CorrectedDay,
  type Db,
} from '@digger/database'
import type { KnownDay, Timetables } from '@digger/prices'

export interface CalendarParts {
  readonly db: Db
  readonly clock: Pick<Clock, 'now'>
  readonly timetables: Timetables
  /** Writes that a day was changed: every account trades by these days, so that everybody's log has it. */
  readonly log: (db: Db, line: CalendarLine) => Promise<void>
  /** Called when days were changed here: other processes have them in their memory, too. */
  readonly changed?: (() => void) | undefined
}

/** `by_email`: who changed a day. */
export interface CalendarLine {
  readonly at: number
  readonly by_email: string
  readonly action: string
  readonly detail: string
}

/** A day that is not like any other; an operator's with who it was, and when. */
export interface CalendarDay extends KnownDay {
  readonly correctedBy: { readonly by: string; readonly at: number } | null
}

/** The exchange's days as this server knows them, with those that operators corrected in the tables. */
export class TradingCalendar {
  readonly #parts: CalendarParts
  #corrected: readonly CorrectedDay[] = []
  #text = '[]'

  constructor(parts: CalendarParts) {
    this.#parts = parts
  }

  /** Takes in what is in the tables, also what another process wrote there. What has not changed disturbs nobody. */
  async look(): Promise<void> {
    const corrected = await readCalendarDays(this.#parts.db)
    const text = JSON.stringify(corrected)
    if (text === this.#text) return
    this.#corrected = corrected
    this.#text = text
    this.#parts.timetables.correct(
      new Map(corrected.map(({ day, correction }): [string, DayCorrection] => [day, correction])),
    )
  }

  /** Closes a day, opens it, or gives it hours; in force here when this resolves. Throws Refused. */
  async correct(day: string, correction: DayCorrection, by: string): Promise<void> {
    if (day < this.#today) throw new Refused('INVALID', '지난 날은 고칠 수 없습니다.')
    const problem = correctionProblem(day, correction)
    if (problem !== null) throw new Refused('INVALID', problem)
    await this.#change(day, by, correctionText(correction), (db, at) =>
      writeCalendarDay(db, { day, correction, at, by }),
    )
  }

  /** The day is again as it is without an operator. Throws Refused where none has spoken of it. */
  async takeBack(day: string, by: string): Promise<void> {
    await this.#change(day, by, '고친 것을 지움', async (db) => {
      if (!(await deleteCalendarDay(db, day)))
        throw new Refused('NOT_FOUND', `${dayText(day)}에는 고친 것이 없습니다. 달력을 다시 확인해 주세요.`)
    })
  }

  /** The change and the lines about it are written together or not at all. */
  async #change(day: string, by: string, what: string, write: (db: Db, at: number) => Promise<void>): Promise<void> {
    const { db, clock, log, changed } = this.#parts
    const at = clock.now()
    await db.transaction().execute(async (trx) => {
      await write(trx, at)
      await log(trx, { at, by_email: by, action: '거래일 달력', detail: `${dayText(day)}: ${what}` })
    })
    changed?.()
    await this.look()
  }

  get isAlwaysOpen(): boolean {
    return this.#parts.timetables.current.hours === 'always'
  }

  /** From the beginning of this year to the end of the next. */
  days(): CalendarDay[] {
    const year = Number(this.#today.slice(0, 4))
    const by = new Map(this.#corrected.map((one) => [one.day, { by: one.by, at: one.at }]))
    return this.#parts.timetables
      .days(`${year}0101`, `${year + 1}1231`)
      .map((day) => ({ ...day, correctedBy: by.get(day.day) ?? null }))
  }

  /** The year whose days ought to be known by now and are not; null: there is none. */
  get missingYear(): number | null {
    return missingYear(this.#today, this.#parts.timetables.current)
  }

  get #today(): string {
    return kstDay(this.#parts.clock.now())
  }
}

/** `2027-01-04`. */
export const dayText = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
