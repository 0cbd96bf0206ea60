import type { DayCorrection } from '@digger/core'
import type { Db } from './handle.ts'
import { sql } from 'kysely'

/** What an operator said of a day, when, and who it was. */
export interface CorrectedDay {
  readonly day: string
  readonly correction: DayCorrection
  readonly at: number
  readonly by: string
}

export async function readCalendarDays(db: Db): Promise<CorrectedDay[]> {
  const rows = await db.selectFrom('calendar_day').selectAll().orderBy('day').execute()
  return rows.map(({ by_email, ...row }) => ({ ...row, by: by_email }))
}

export async function writeCalendarDay(db: Db, { day, correction, at, by }: CorrectedDay): Promise<void> {
  // A text alone would not be taken for JSON.
  const json = sql<DayCorrection>`${JSON.stringify(correction)}::jsonb`
  const row = { correction: json, at, by_email: by }
  await db
    .insertInto('calendar_day')
    .values({ day, ...row })
    .onConflict((conflict) => conflict.column('day').doUpdateSet(row))
    .execute()
}

/** False: nothing was said of the day. */
export async function deleteCalendarDay(db: Db, day: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('calendar_day').where('day', '=', day).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
