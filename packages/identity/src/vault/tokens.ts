import type { StoredToken } from '@digger/kis'
import type { Clock, Db } from '@digger/database'
import type { Vault } from './vault.ts'

/** The broker's tokens live a day, and it issues one a minute (EGW00133 otherwise), ms. */
const LIFE_MS = 86_400_000
const SPACING_MS = 61_000

/**
 * Stores the broker's access tokens over a restart. They live a day and may be issued once a minute, so a server that restarts twice
 * without them would stand still. Encrypted by the user's key: no key, no token.
 */
export class TokenStore {
  readonly #db: Db
  readonly #vault: Vault
  readonly #clock: Clock

  constructor(db: Db, vault: Vault, clock: Clock) {
    this.#db = db
    this.#vault = vault
    this.#clock = clock
  }

  async load(userId: string, env: string): Promise<StoredToken | null> {
    const row = await this.#db
      .selectFrom('broker_token')
      .selectAll()
      .where('user_id', '=', userId)
      .where('env', '=', env)
      .where('expires_at', '>', this.#clock.now())
      .executeTakeFirst()
    const token = row ? this.#vault.unsealOf(userId, `token ${env}`, row.sealed) : null
    return row && token !== null ? { token, issuedAt: row.expires_at - LIFE_MS, expiresAt: row.expires_at } : null
  }

  async save(userId: string, env: string, { token, expiresAt }: Omit<StoredToken, 'issuedAt'>): Promise<void> {
    const sealed = this.#vault.sealFor(userId, `token ${env}`, token)
    if (sealed === null) return
    await this.#db
      .insertInto('broker_token')
      .values({ user_id: userId, env, sealed, expires_at: expiresAt })
      .onConflict((conflict) => conflict.columns(['user_id', 'env']).doUpdateSet({ sealed, expires_at: expiresAt }))
      .execute()
  }

  /** Those of other keys are of no use any more. */
  async drop(userId: string): Promise<void> {
    await this.#db.deleteFrom('broker_token').where('user_id', '=', userId).execute()
  }

  /**
   * Makes the next call to the broker ask for a new one. A token of this minute stays: it is as new as any, and asking again would be
   * refused for minutes (EGW00133), with nothing left to trade with.
   */
  async renew(userId: string): Promise<void> {
    const issuedAMinuteAgo = this.#clock.now() - SPACING_MS + LIFE_MS
    await this.#db
      .deleteFrom('broker_token')
      .where('user_id', '=', userId)
      .where('expires_at', '<', issuedAMinuteAgo)
      .execute()
  }
}
