import { tradingDayBefore, type AnnouncedAction, type Timetable } from '@digger/core'
import type { KisActionKind, KisAnnouncement } from '@digger/kis'

/** What the depository has announced of all stocks, for all accounts; asked for anew each day, and after a restart. */
export class Announcements {
  /** By list (a kind, or a kind of one code): what it said last. */
  readonly #lists = new Map<string, readonly (AnnouncedAction & { readonly code: string })[]>()
  readonly #readOn = new Map<string, string>()
  /** Lists that are asked for now: one account asks for all. */
  readonly #out = new Set<string>()
  /** Kinds whose list did not hold all: they are asked for code by code. */
  readonly #cut = new Set<KisActionKind>()

  isKnown(list: string, day: string): boolean {
    return this.#readOn.get(list) === day || this.#out.has(list)
  }

  isCut(kind: KisActionKind): boolean {
    return this.#cut.has(kind)
  }

  /** Runs a question about a list; nobody else asks it meanwhile. */
  async whileOut<T>(list: string, question: () => Promise<T>): Promise<T> {
    this.#out.add(list)
    try {
      return await question()
    } finally {
      this.#out.delete(list)
    }
  }

  noteCut(kind: KisActionKind, isCut: boolean): void {
    if (isCut) this.#cut.add(kind)
    else this.#cut.delete(kind)
  }

  note(list: string, day: string, rows: readonly KisAnnouncement[], timetable: Timetable): void {
    this.#readOn.set(list, day)
    this.#lists.set(
      list,
      rows.flatMap((row) => {
        const action = actionOf(row, timetable)
        return action === null ? [] : [{ ...action, code: row.code }]
      }),
    )
  }

  /** The action by which the share of `code` is another one from `day` on. */
  on(code: string, day: string): AnnouncedAction | undefined {
    return this.#of(code).find((action) => action.day === day)
  }

  /** The first one of a day on or after `day`. */
  next(code: string, day: string): AnnouncedAction | null {
    const coming = this.#of(code).filter((action) => action.day >= day)
    return coming.reduce<AnnouncedAction | null>(
      (first, action) => (first === null || action.day < first.day ? action : first),
      null,
    )
  }

  #of(code: string): AnnouncedAction[] {
    const all = [...this.#lists.values()].flat().filter((action) => action.code === code)
    return all.map(({ kind, day, ratio, paid, creditDay }) => ({ kind, day, ratio, paid, creditDay }))
  }
}

/** Null: its day is not settled yet. Of a dividend only the record day is told; the new share trades from the day before on. */
function actionOf(
  { kind, recordDay, exDay, ratio, paid, creditDay }: KisAnnouncement,
  timetable: Timetable,
): AnnouncedAction | null {
  const day = kind === 'stockDividend' ? tradingDayBefore(recordDay, timetable) : exDay
  return day === null ? null : { kind, day, ratio, paid, creditDay }
}
