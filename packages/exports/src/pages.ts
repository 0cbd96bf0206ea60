import { addDays } from '@digger/core'
import { background } from '@digger/database'

/**
 * Rows of one statement. The embedded database has one connection, and an order waits for a statement that has begun: this one takes
 * it some 5 ms, also where the tables have no statistics yet.
 */
export const PAGE_ROWS = 250

/** Days of KST, both included. Null: open. */
export interface Days {
  readonly from: string | null
  readonly to: string | null
}

export const isWithin = (day: string, { from, to }: Days): boolean =>
  (from === null || day >= from) && (to === null || day <= to)

/**
 * Rows page by page, each read from after the last row of the one before. No transaction is held over them, and before each statement
 * and each page it is waited for a turn that nothing else needs.
 */
export async function* inPages<Row>(read: (after: Row | null) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let after: Row | null = null
  for (;;) {
    await background.own()
    const rows: Row[] = await read(after)
    await background.own()
    if (rows.length > 0) yield rows
    after = rows.at(-1) ?? null
    if (rows.length < PAGE_ROWS) return
  }
}

interface Windows extends Days {
  /** How many days a window has. */
  readonly length: number
  /** The newest day up to this one that has anything; null: there is none. */
  readonly lastDay: (until: string) => Promise<string | null>
}

/** What is read by a range of days, newest window first; days that have nothing are passed over. */
export async function* byDays<Row>(
  { from, to, length, lastDay }: Windows,
  read: (from: string, to: string) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let until = to ?? LAST_DAY
  for (;;) {
    await background.own()
    const last = await lastDay(until)
    if (last === null || (from !== null && last < from)) return
    const begin = addDays(last, 1 - length)
    const rows = await read(from !== null && from > begin ? from : begin, last)
    await background.own()
    if (rows.length > 0) yield rows
    until = addDays(begin, -1)
  }
}

const LAST_DAY = '99991231'
