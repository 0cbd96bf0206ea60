import type { AuditRow } from '../db/tables.ts'
import type { Db } from '../db/open.ts'

/** One line of the log a user can read about their own account. The table refuses changes. */
export async function writeAudit(db: Db, row: Omit<AuditRow, 'id'>): Promise<void> {
  await db.insertInto('audit').values(row).execute()
}

/** Newest first. */
export const readAudit = (db: Db, userId: string, before: number | null, limit: number): Promise<AuditRow[]> =>
  db
    .selectFrom('audit')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(before !== null, (query) => query.where('at', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
