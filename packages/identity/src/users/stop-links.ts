import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '@digger/database'

const TOKEN_BYTES = 32

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A new secret for stopping the account; one of before is void. Only who gets it here has it. */
export async function makeStopLink(db: Db, userId: string, now: number): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const row = { token_hash: hashOf(token), created_at: now, used_at: null }
  await db
    .insertInto('stop_link')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
  return token
}

export async function revokeStopLink(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('stop_link').where('user_id', '=', userId).execute()
}

/** When it was made and last pressed, epoch ms; null: there is none. */
export async function readStopLink(
  db: Db,
  userId: string,
): Promise<{ createdAt: number; usedAt: number | null } | null> {
  const row = await db.selectFrom('stop_link').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row === undefined ? null : { createdAt: row.created_at, usedAt: row.used_at }
}

/** Whose secret it is, which is noted as pressed; null: nobody's. */
export async function pressStopLink(db: Db, token: string, now: number): Promise<string | null> {
  const row = await db
    .updateTable('stop_link')
    .set({ used_at: now })
    .where('token_hash', '=', hashOf(token))
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id ?? null
}
