import { sql } from 'kysely'
import type { NotificationKind } from '@digger/contract'
import type { Db } from '@digger/database'

export interface NewNotification {
  readonly userId: string
  /** What it is about: a person is told once of each. */
  readonly subject: string
  readonly kind: NotificationKind
  /** Epoch ms. */
  readonly at: number
  readonly code?: string | null
  readonly text: string
  readonly amounts?: string | null
}

/** Puts what is to be told beside the fills. Returns whose person has not been told of it yet. */
export async function notify(db: Db, all: readonly NewNotification[]): Promise<string[]> {
  if (all.length === 0) return []
  const rows = all.map(({ userId, subject, kind, at, code = null, text, amounts = null }) => ({
    user_id: userId,
    subject,
    kind,
    at,
    code,
    text,
    amounts,
  }))
  const { rows: inserted } = await sql<{ id: string }>`
    insert into notification (user_id, subject, kind, at, code, text, amounts)
    select r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (user_id text, subject text, kind text, at bigint, code text, text text, amounts text)
    on conflict (user_id, subject) do nothing
    returning user_id as id`.execute(db)
  return [...new Set(inserted.map(({ id }) => id))]
}

/** Kept for so long on the page, ms. */
const KEPT_MS = 30 * 86_400_000

/** Forgets what is older, with its bundles. */
export async function dropOld(db: Db, shards: readonly number[], now: number): Promise<void> {
  await sql`
    delete from notification_bundle b where b.at < ${now - KEPT_MS} and shard_of(b.user_id) = any(${shards}::bigint[])`.execute(
    db,
  )
  await sql`
    delete from notification n
    where n.at < ${now - KEPT_MS} and n.state = 'off' and shard_of(n.user_id) = any(${shards}::bigint[])`.execute(db)
}
