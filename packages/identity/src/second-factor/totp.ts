import { Secret, TOTP } from 'otpauth'
import type { Clock, Db } from '@digger/database'
import { openOrNull, seal, unseal } from '../vault/seal.ts'

/** RFC 6238 as every app has it: SHA-1, six digits, thirty seconds. 160 bits, as RFC 4226 recommends. */
const FORM = { issuer: 'Digger', algorithm: 'SHA1', digits: 6, period: 30 } as const
const SECRET_BYTES = 20
/** Clocks of phones may be off by one period either way. */
const WINDOW = 1

const labelOf = (userId: string): string => `digger totp:${userId}`

/** One-time codes of an app. Secrets are sealed by a key of the server's that the database has not. */
export class Totps {
  readonly #db: Db
  readonly #clock: Clock
  readonly #key: Buffer

  constructor(db: Db, clock: Clock, key: Buffer) {
    this.#db = db
    this.#clock = clock
    this.#key = key
  }

  /** A new secret that counts once `confirm` has seen a code of it; a confirmed one goes on until then. Null: there is a confirmed one. */
  async begin(userId: string, email: string): Promise<{ secret: string; uri: string } | null> {
    const secret = new Secret({ size: SECRET_BYTES })
    const sealed = seal(this.#key, Buffer.from(secret.bytes), labelOf(userId))
    const row = { sealed, confirmed_at: null, last_step: 0, created_at: this.#clock.now() }
    const { numInsertedOrUpdatedRows = 0n } = await this.#db
      .insertInto('totp')
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row).where('totp.confirmed_at', 'is', null))
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) return null
    return { secret: secret.base32, uri: new TOTP({ ...FORM, label: email, secret }).toString() }
  }

  /** The first code of a new secret: shows that the app has it. */
  confirm(userId: string, token: string): Promise<boolean> {
    return this.#take(userId, token, 'new')
  }

  /** A code of a confirmed secret. It and all before it are used up. */
  check(userId: string, token: string): Promise<boolean> {
    return this.#take(userId, token, 'confirmed')
  }

  /** When it was set up, epoch ms; null: it is not. */
  async confirmedAt(userId: string): Promise<number | null> {
    const row = await this.#db
      .selectFrom('totp')
      .select('confirmed_at')
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row?.confirmed_at ?? null
  }

  /** False: there was none. */
  async remove(userId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db.deleteFrom('totp').where('user_id', '=', userId).executeTakeFirst()
    return numDeletedRows > 0n
  }

  async #take(userId: string, token: string, which: 'new' | 'confirmed'): Promise<boolean> {
    const row = await this.#db.selectFrom('totp').selectAll().where('user_id', '=', userId).executeTakeFirst()
    if (!row || (row.confirmed_at === null) !== (which === 'new')) return false
    const opened = openOrNull(() => unseal(this.#key, row.sealed, labelOf(userId)))
    if (opened === null) return false
    const timestamp = this.#clock.now()
    const secret = new Secret({ buffer: new Uint8Array(opened).buffer })
    const delta = TOTP.validate({ ...FORM, token, secret, timestamp, window: WINDOW })
    if (delta === null) return false
    const step = TOTP.counter({ period: FORM.period, timestamp }) + delta
    // One statement: of two that show the same code at once, one is late.
    const { numUpdatedRows } = await this.#db
      .updateTable('totp')
      .set({ last_step: step, ...(which === 'new' ? { confirmed_at: timestamp } : {}) })
      .where('user_id', '=', userId)
      .where('sealed', '=', row.sealed)
      .where('last_step', '<', step)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}
