import { createHash, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '@digger/database'

/** A person goes from the page to Telegram meanwhile, ms. */
export const LINK_MS = 10 * 60_000
/** Without letters and digits that look alike. 31^10 codes: guessing within ten minutes is hopeless. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const LENGTH = 10

const hashOf = (code: string): Buffer => createHash('sha256').update(code.toUpperCase()).digest()

/** A code for one person and one use. The one before is void. */
export async function newLinkCode(db: Db, userId: string, now: number): Promise<string> {
  const code = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  await sql`
    with gone as (delete from telegram_link where user_id = ${userId} or expires_at <= ${now})
    insert into telegram_link (code_hash, user_id, expires_at) values (${hashOf(code)}, ${userId}, ${now + LINK_MS})`.execute(
    db,
  )
  return code
}

/** Whose code it is, which is used up with that; null: nobody's. */
export async function useLinkCode(db: Db, code: string, now: number): Promise<string | null> {
  const { rows } = await sql<{ userId: string }>`
    delete from telegram_link where code_hash = ${hashOf(code)} and expires_at > ${now}
    returning user_id as "userId"`.execute(db)
  return rows[0]?.userId ?? null
}
