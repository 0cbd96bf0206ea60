import { sql } from 'kysely'
import type { AuditRow, Db } from '@digger/database'

const HOUR_MS = 3_600_000
/** Hours with failed log-ins are kept this long. */
const FAILED_MS = 366 * 24 * HOUR_MS
/** Stands for every e-mail that nobody has. */
const NOBODY = 'nobody'

export type AuditLine = Pick<AuditRow, 'at' | 'by_email' | 'action' | 'detail'>

/** One line of the log a user can read about their own account. The table refuses changes. */
export async function writeAudit(db: Db, row: Omit<AuditRow, 'id'>): Promise<void> {
  await db.insertInto('audit').values(row).execute()
}

/**
 * A wrong password. Counted by the hour, or a flood of guesses would flood the log. For an unknown e-mail (`userId` null)
 * the same is written for nobody: the time it takes tells nothing.
 */
export async function noteFailedLogin(db: Db, userId: string | null, at: number, address: string): Promise<void> {
  const user_id = userId ?? NOBODY
  const hour = at - (at % HOUR_MS)
  await db
    .deleteFrom('login_failed')
    .where('user_id', '=', user_id)
    .where('hour', '<', hour - FAILED_MS)
    .execute()
  const last = { last_at: at, last_address: address.slice(0, 45) }
  await db
    .insertInto('login_failed')
    .values({ user_id, hour, count: 1, ...last })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'hour']).doUpdateSet({ count: sql`login_failed.count + 1`, ...last }),
    )
    .execute()
}

/** Newest first. */
export async function readAudit(db: Db, userId: string, before: number | null, limit: number): Promise<AuditLine[]> {
  const lines: AuditLine[] = await db
    .selectFrom('audit')
    .select(['at', 'by_email', 'action', 'detail'])
    .where('user_id', '=', userId)
    .$if(before !== null, (query) => query.where('at', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  const failed = await db
    .selectFrom('login_failed')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(before !== null, (query) => query.where('last_at', '<', before))
    .orderBy('last_at', 'desc')
    .limit(limit)
    .execute()
  const told = failed.map(({ last_at, count, last_address }) => ({
    at: last_at,
    by_email: '로그인 화면',
    action: '비밀번호 틀림',
    detail: `이 한 시간에 ${count}번 · 마지막 주소 ${last_address}`,
  }))
  return told.length === 0 ? lines : [...lines, ...told].sort((a, b) => b.at - a.at).slice(0, limit)
}
