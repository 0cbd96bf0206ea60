import { sql } from 'kysely'
import type { AuditRow, Db } from '@digger/database'

const HOUR_MS = 3_600_000
/** Hours with failed log-ins are stored this long. */
const FAILED_MS = 366 * 24 * HOUR_MS
/** Takes the place of a user for every e-mail that nobody has. */
const NOBODY = 'nobody'

/** Ends a line whose outcome was never written: the process ended, or the database refused the row. */
const NO_OUTCOME = '결과가 기록되지 않았습니다. 화면에서 확인해 주세요.'
/** An action without an outcome is taken to be under way this long. */
const UNDER_WAY_MS = 120_000
const UNDER_WAY = '진행 중'

export interface AuditPage {
  /** Lines before this instant only; null: the newest. */
  readonly before: number | null
  readonly limit: number
  readonly now: number
}

export type AuditEntry = Pick<AuditRow, 'at' | 'user_id' | 'by_email' | 'action' | 'detail'>
export type AuditLine = Omit<AuditEntry, 'user_id'>
/** With its number: two lines may be of the same instant. */
export type AuditAction = AuditLine & Pick<AuditRow, 'id'>

/** One line of the log a user can read about their own account, written after the fact. The table refuses changes. */
export async function writeAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db.insertInto('audit').values(entry).execute()
}

/** The same line in everybody's log: what concerns the whole server. */
export async function writeAuditForAll(db: Db, entry: Omit<AuditEntry, 'user_id'>): Promise<void> {
  const users = await db.selectFrom('users').select('id').execute()
  if (users.length === 0) return
  await db
    .insertInto('audit')
    .values(users.map(({ id }) => ({ ...entry, user_id: id })))
    .execute()
}

/** Writes what is asked, before it is done. Returns the id for `endAudit`. */
export async function beginAudit(db: Db, entry: AuditEntry): Promise<number> {
  const values = { ...entry, stage: 'asked' } as const
  const { id } = await db.insertInto('audit').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Writes what came of it; its detail replaces the one of `beginAudit`. Null: it never became an action, so no line is shown. */
export async function endAudit(db: Db, askedId: number, entry: AuditEntry, detail: string | null): Promise<void> {
  const stage = detail === null ? 'dropped' : 'outcome'
  const values = { ...entry, stage, asked_id: askedId, detail: detail ?? '' } as const
  await db.insertInto('audit').values(values).execute()
}

/**
 * A wrong password. Counted by the hour, or a flood of guesses would flood the log. For an unknown e-mail (`userId` null)
 * the same is written for nobody: the time it takes reveals nothing.
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

/** One line for each action, newest first; one whose outcome is missing says so. */
export async function readAudit(db: Db, userId: string, page: AuditPage): Promise<AuditLine[]> {
  const { before, limit } = page
  const actions: AuditLine[] = await auditActions(db, userId, page)
  const failures = await failedLogins(db, userId, before, limit)
  return failures.length === 0 ? actions : [...actions, ...failures].sort((a, b) => b.at - a.at).slice(0, limit)
}

/** Actions alone, newest first. `beforeId`: those before this one only. */
export async function auditActions(
  db: Db,
  userId: string,
  { before, beforeId = null, limit, now }: AuditPage & { readonly beforeId?: number | null },
): Promise<AuditAction[]> {
  const rows = await db
    .selectFrom('audit as asked')
    .leftJoin('audit as ended', 'ended.asked_id', 'asked.id')
    .select([
      'asked.id',
      'asked.at',
      'asked.by_email',
      'asked.action',
      'asked.detail',
      'asked.stage',
      'ended.detail as outcome',
    ])
    .where('asked.user_id', '=', userId)
    .where('asked.asked_id', 'is', null)
    .where((is) => is.or([is('ended.stage', 'is', null), is('ended.stage', '=', 'outcome')]))
    .$if(before !== null, (query) => query.where('asked.at', '<', before))
    .$if(beforeId !== null, (query) => query.where('asked.id', '<', beforeId))
    .orderBy('asked.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ stage, outcome, ...line }) => {
    const missing = stage === 'asked' && outcome === null
    const state = now - line.at < UNDER_WAY_MS ? UNDER_WAY : NO_OUTCOME
    return { ...line, detail: missing ? joinDetails([line.detail, state]) : (outcome ?? line.detail) }
  })
}

/** The parts of a line's detail, in the order they were found out. */
export const joinDetails = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ')

/** Wrong passwords by the hour, newest first. */
export async function failedLogins(db: Db, userId: string, before: number | null, limit: number): Promise<AuditLine[]> {
  const failed = await db
    .selectFrom('login_failed')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(before !== null, (query) => query.where('last_at', '<', before))
    .orderBy('last_at', 'desc')
    .limit(limit)
    .execute()
  return failed.map(({ last_at, count, last_address }) => ({
    at: last_at,
    by_email: '로그인 화면',
    action: '비밀번호 틀림',
    detail: `이 한 시간에 ${count}번 · 마지막 주소 ${last_address}`,
  }))
}
