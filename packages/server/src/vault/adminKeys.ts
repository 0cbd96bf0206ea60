import type { Clock } from '../clock.ts'
import type { Db } from '../db/open.ts'
import type { Passwords } from './password.ts'
import * as rows from './rows.ts'
import { newKeyPair, seal, sealFor, unseal, unsealWith } from './seal.ts'

/**
 * Each administrator has a key pair: the public half in the clear, so that a user's key can be sealed for them while
 * they are away; the private half wrapped by their password and unwrapped only for the moment it is used.
 */
export class AdminKeys {
  readonly #passwords: Passwords
  readonly #clock: Clock

  constructor(passwords: Passwords, clock: Clock) {
    this.#passwords = passwords
    this.#clock = clock
  }

  /** True when a pair was made now. */
  async prepare(db: Db, adminId: string, password: string): Promise<boolean> {
    if (await rows.findAdminKey(db, adminId)) return false
    const { publicKey, privateKey } = newKeyPair()
    await rows.putAdminKey(db, {
      admin_id: adminId,
      public_key: publicKey,
      ...(await this.#wrap(adminId, privateKey, password)),
      created_at: this.#clock.now(),
    })
    return true
  }

  /** Seals a user's key for every administrator who lacks it. */
  async share(db: Db, userId: string, key: Buffer): Promise<void> {
    for (const { admin_id, public_key } of await rows.adminsWithoutShare(db, userId)) {
      await rows.putShare(db, userId, admin_id, sealFor(public_key, key, `share:${userId}:${admin_id}`))
    }
  }

  /** The user's key; null when it was never sealed for this administrator. */
  async open(db: Db, userId: string, adminId: string, password: string): Promise<Buffer | null> {
    const share = await rows.findShare(db, userId, adminId)
    const privateKey = share && (await this.#privateKey(db, adminId, password))
    return share && privateKey ? unsealWith(privateKey, share.sealed, `share:${userId}:${adminId}`) : null
  }

  /** `oldPassword` null: it is lost, and the pair with it; the next log-in makes a new one. */
  async rewrap(
    db: Db,
    adminId: string,
    oldPassword: string | null,
    newPassword: string,
  ): Promise<(db: Db) => Promise<void>> {
    if (oldPassword === null) return (trx) => rows.dropAdminKey(trx, adminId)
    const privateKey = await this.#privateKey(db, adminId, oldPassword)
    if (!privateKey) return async () => undefined
    const wrap = await this.#wrap(adminId, privateKey, newPassword)
    return (trx) => rows.rewrapAdminKey(trx, adminId, wrap)
  }

  async #privateKey(db: Db, adminId: string, password: string): Promise<Buffer | null> {
    const row = await rows.findAdminKey(db, adminId)
    if (!row) return null
    return unseal(await this.#passwords.key(password, row.password_salt), row.private_by_password, `admin:${adminId}`)
  }

  async #wrap(adminId: string, privateKey: Buffer, password: string) {
    const salt = this.#passwords.newSalt()
    const wrapping = await this.#passwords.key(password, salt)
    return { private_by_password: seal(wrapping, privateKey, `admin:${adminId}`), password_salt: salt }
  }
}
