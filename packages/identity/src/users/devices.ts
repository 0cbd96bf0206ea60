import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock, Db } from '@digger/database'

const TOKEN_BYTES = 32
const TOKEN = /^[\w-]{43}$/
const DAY_MS = 86_400_000
/** A device that was not used for a log-in this long is a stranger again. */
const KNOWN_MS = 180 * DAY_MS
/** Devices of one person; the one used longest ago goes. */
const MAX_DEVICES = 20

export const DEVICE_MAX_AGE_S = KNOWN_MS / 1000

export interface KnownDevice {
  readonly id: string
  readonly userId: string
}

/**
 * Browsers somebody logged in from. Being known opens nothing: it gives its owner tries of their own, which strangers
 * cannot use up, and the first places in the queue. The database keeps only the token's hash.
 */
export class KnownDevices {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** The device behind a token; null where it is not known to be this person's. */
  async find(token: string | null, email: string): Promise<KnownDevice | null> {
    if (token === null || !TOKEN.test(token)) return null
    const hash = hashOf(token)
    const row = await this.#db
      .selectFrom('known_device')
      .innerJoin('users', 'users.id', 'known_device.user_id')
      .select('user_id')
      .where('token_hash', '=', hash)
      .where('email', '=', email)
      .where('seen_at', '>', this.#clock.now() - KNOWN_MS)
      .executeTakeFirst()
    return row ? { id: hash.toString('hex'), userId: row.user_id } : null
  }

  /**
   * After a log-in. Returns the token for the cookie, a new one each time: one that another site planted before is of no
   * use to it. Who else logged in from this browser stays known there.
   */
  async remember(oldToken: string | null, userId: string): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const hash = hashOf(token)
    const now = this.#clock.now()
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .deleteFrom('known_device')
        .where('seen_at', '<=', now - KNOWN_MS)
        .execute()
      if (oldToken !== null) {
        const old = hashOf(oldToken)
        await trx.updateTable('known_device').set({ token_hash: hash }).where('token_hash', '=', old).execute()
      }
      await trx
        .insertInto('known_device')
        .values({ token_hash: hash, user_id: userId, seen_at: now })
        .onConflict((conflict) => conflict.columns(['token_hash', 'user_id']).doUpdateSet({ seen_at: now }))
        .execute()
      await sql`
        delete from known_device where user_id = ${userId} and token_hash in (
          select token_hash from known_device where user_id = ${userId} order by seen_at desc offset ${MAX_DEVICES}::int)`.execute(
        trx,
      )
    })
    return token
  }
}

/** Forgets every device of a user: what was trusted for the old password is not for a new one. */
export async function forgetDevices(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('known_device').where('user_id', '=', userId).execute()
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
