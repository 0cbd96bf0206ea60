import type { Db, Factor, SessionRow } from '@digger/database'

export type ListedSession = Pick<SessionRow, 'created_at' | 'seen_at' | 'address' | 'agent' | 'factor'> & {
  /** As `Session.id`. */
  readonly id: string
}

/** Living sessions of a person, last used first; `seen_at` is up to an hour old. */
export async function listSessions(db: Db, userId: string, now: number): Promise<ListedSession[]> {
  const rows = await db
    .selectFrom('session')
    .select(['token_hash', 'created_at', 'seen_at', 'address', 'agent', 'factor'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('seen_at', 'desc')
    .orderBy('token_hash')
    .execute()
  return rows.map(({ token_hash, ...row }) => ({ id: token_hash.toString('hex'), ...row }))
}

/** When the person of a session last proved who they are, epoch ms; null: there is no such session. Asked of the database. */
export async function provenAt(db: Db, sessionId: string): Promise<number | null> {
  const row = await db
    .selectFrom('session')
    .select('proven_at')
    .where('token_hash', '=', Buffer.from(sessionId, 'hex'))
    .executeTakeFirst()
  return row?.proven_at ?? null
}

/** `factor` null: by the password. What was shown before stays. */
export async function markProven(db: Db, sessionId: string, factor: Factor | null, now: number): Promise<void> {
  await db
    .updateTable('session')
    .set({ proven_at: now, ...(factor === null ? {} : { factor }) })
    .where('token_hash', '=', Buffer.from(sessionId, 'hex'))
    .execute()
}

/** Those that ended sessions came from are strangers again. `kept`: with all but that session's own; null: those named alone. */
export async function forgetDevicesOf(
  db: Db,
  userId: string,
  ended: readonly Pick<SessionRow, 'device_hash'>[],
  kept: Buffer | null,
): Promise<void> {
  const forgotten = db.deleteFrom('known_device').where('user_id', '=', userId)
  if (kept === null) {
    const hashes = ended.flatMap(({ device_hash }) => (device_hash === null ? [] : [device_hash]))
    if (hashes.length > 0) await forgotten.where('token_hash', 'in', hashes).execute()
    return
  }
  const own = await db.selectFrom('session').select('device_hash').where('token_hash', '=', kept).executeTakeFirst()
  const device = own?.device_hash ?? null
  await (device === null ? forgotten : forgotten.where('token_hash', '!=', device)).execute()
}
