import type { KisCredentials } from '@digger/kis'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/open.ts'
import type { VaultRow } from '../db/tables.ts'
import { AdminKeys } from './adminKeys.ts'
import type { MasterKey } from './master.ts'
import type { Passwords } from './password.ts'
import * as rows from './rows.ts'
import { SealError, newKey, seal, unseal } from './seal.ts'

export interface VaultParts {
  readonly db: Db
  readonly clock: Clock
  readonly passwords: Passwords
  readonly master: MasterKey | null
}

export interface NewVault {
  readonly insert: (db: Db) => Promise<void>
  readonly keep: () => void
}

/**
 * Broker credentials, encrypted per user by a random key. The key itself is stored only wrapped: by the user's password,
 * for every administrator, and by the operator's master key when there is one. *Present* means: unwrapped in memory here.
 */
export class Vault {
  readonly #db: Db
  readonly #clock: Clock
  readonly #passwords: Passwords
  readonly #master: MasterKey | null
  readonly #admins: AdminKeys
  readonly #keys = new Map<string, Buffer>()

  constructor({ db, clock, passwords, master }: VaultParts) {
    this.#db = db
    this.#clock = clock
    this.#passwords = passwords
    this.#master = master
    this.#admins = new AdminKeys(passwords, clock)
  }

  has(userId: string): boolean {
    return this.#keys.has(userId)
  }

  /**
   * For a sign-up. The slow part comes first, so that the transaction that also makes the user is short: `insert` in it,
   * `keep` after its commit makes the key present.
   */
  async prepare(userId: string, password: string, credentials: KisCredentials): Promise<NewVault> {
    const key = newKey()
    const row: VaultRow = {
      user_id: userId,
      credentials: seal(key, Buffer.from(JSON.stringify(credentials)), `credentials:${userId}`),
      ...(await this.#passwordWrap(userId, key, password)),
      ...this.#masterWrap(userId, key),
      held: true,
      changed_at: this.#clock.now(),
    }
    return {
      insert: async (db) => {
        await rows.insertVault(db, row)
        await this.#admins.share(db, userId, key)
      },
      keep: () => void this.#keys.set(userId, key),
    }
  }

  /**
   * At log-in with a password that was checked already. False when that password never wrapped the key (it was reset)
   * and the key is not in memory either: an administrator has to open it once.
   */
  async openByPassword(userId: string, password: string): Promise<boolean> {
    const row = await rows.findVault(this.#db, userId)
    if (!row) return false
    const key = await this.#keyByPassword(row, password)
    if (!key) return false
    const lost = row.by_password === null ? await this.#passwordWrap(userId, key, password) : {}
    await this.#keep(row, key, lost)
    return true
  }

  /** At an administrator's log-in: makes the pair that others seal for, when there is none yet. */
  async prepareAdmin(adminId: string, password: string): Promise<void> {
    const isNew = await this.#admins.prepare(this.#db, adminId, password)
    if (!isNew) return
    for (const [userId, key] of this.#keys) await this.#admins.share(this.#db, userId, key)
  }

  /** False when this administrator cannot open it: sealed before they were one, and not in memory since. */
  async openByAdmin(userId: string, adminId: string, adminPassword: string): Promise<boolean> {
    const row = await rows.findVault(this.#db, userId)
    if (!row) return false
    const key = this.#keys.get(userId) ?? (await this.#admins.open(this.#db, userId, adminId, adminPassword))
    if (!key) return false
    await this.#keep(row, key, {})
    return true
  }

  /** After a restart, with a master key: the users whose key is present again. */
  async openByMaster(): Promise<string[]> {
    const master = this.#master
    if (master === null) return []
    const held = await rows.heldVaults(this.#db, master.mark)
    return held.flatMap((row) => {
      if (row.by_master === null) return []
      this.#keys.set(row.user_id, unseal(master.key, row.by_master, `master:${row.user_id}`))
      return [row.user_id]
    })
  }

  /** Null when the key is absent. */
  async credentials(userId: string): Promise<KisCredentials | null> {
    const key = this.#keys.get(userId)
    const row = key && (await rows.findVault(this.#db, userId))
    if (!key || !row) return null
    const credentials: KisCredentials = JSON.parse(unseal(key, row.credentials, `credentials:${userId}`).toString())
    return credentials
  }

  /** Takes the key out of memory; a restart does not bring it back. */
  async remove(userId: string): Promise<void> {
    this.#forget(userId)
    await rows.updateVault(this.#db, userId, { held: false })
  }

  /**
   * Re-wraps for a new password; what is returned runs in the transaction that stores its hash. `oldPassword` null: it is
   * lost. The key stays readable without it when it is in memory or a master key wraps it; else an administrator helps.
   */
  async rewrap(userId: string, oldPassword: string | null, newPassword: string): Promise<(db: Db) => Promise<void>> {
    const row = await rows.findVault(this.#db, userId)
    const adminChange = await this.#admins.rewrap(this.#db, userId, oldPassword, newPassword)
    const old = oldPassword === null ? this.#keyWithoutPassword(row) : await this.#keyByPassword(row, oldPassword)
    const wrap = old ? await this.#passwordWrap(userId, old, newPassword) : { by_password: null, password_salt: null }
    return async (db) => {
      await rows.updateVault(db, userId, { ...wrap, changed_at: this.#clock.now() })
      await adminChange(db)
    }
  }

  /** Wraps every key the present master key opens with another one. Returns how many. */
  async rotateMaster(db: Db, newMaster: MasterKey): Promise<number> {
    const master = this.#master
    if (master === null) return 0
    const wrapped = await rows.wrappedByMaster(db, master.mark)
    for (const { user_id, by_master } of wrapped) {
      if (by_master === null) continue
      const key = unseal(master.key, by_master, `master:${user_id}`)
      await rows.updateVault(db, user_id, {
        by_master: seal(newMaster.key, key, `master:${user_id}`),
        master_mark: newMaster.mark,
      })
    }
    return wrapped.length
  }

  /** Encrypts something else of the user, as the broker's token. Null when the key is absent. */
  sealFor(userId: string, what: string, secret: string): Buffer | null {
    const key = this.#keys.get(userId)
    return key ? seal(key, Buffer.from(secret), `${what}:${userId}`) : null
  }

  /** Null when the key is absent or the bytes are not this user's. */
  unsealOf(userId: string, what: string, sealed: Buffer): string | null {
    const key = this.#keys.get(userId)
    if (!key) return null
    try {
      return unseal(key, sealed, `${what}:${userId}`).toString()
    } catch (error) {
      if (error instanceof SealError) return null
      throw error
    }
  }

  close(): void {
    for (const userId of this.#keys.keys()) this.#forget(userId)
  }

  async #keyByPassword(row: VaultRow | undefined, password: string): Promise<Buffer | null> {
    if (!row || row.by_password === null || row.password_salt === null) return this.#keyWithoutPassword(row)
    const wrapping = await this.#passwords.key(password, row.password_salt)
    return unseal(wrapping, row.by_password, `password:${row.user_id}`)
  }

  #keyWithoutPassword(row: VaultRow | undefined): Buffer | null {
    if (!row) return null
    const present = this.#keys.get(row.user_id)
    if (present) return present
    if (row.by_master === null || row.master_mark !== this.#master?.mark) return null
    return unseal(this.#master.key, row.by_master, `master:${row.user_id}`)
  }

  async #keep(row: VaultRow, key: Buffer, change: Partial<VaultRow>): Promise<void> {
    this.#keys.set(row.user_id, key)
    const master = row.master_mark === (this.#master?.mark ?? null) ? {} : this.#masterWrap(row.user_id, key)
    await rows.updateVault(this.#db, row.user_id, { held: true, ...master, ...change })
    await this.#admins.share(this.#db, row.user_id, key)
  }

  #masterWrap(userId: string, key: Buffer): Pick<VaultRow, 'by_master' | 'master_mark'> {
    if (this.#master === null) return { by_master: null, master_mark: null }
    return { by_master: seal(this.#master.key, key, `master:${userId}`), master_mark: this.#master.mark }
  }

  async #passwordWrap(
    userId: string,
    key: Buffer,
    password: string,
  ): Promise<Pick<VaultRow, 'by_password' | 'password_salt'>> {
    const salt = this.#passwords.newSalt()
    const wrapping = await this.#passwords.key(password, salt)
    return { by_password: seal(wrapping, key, `password:${userId}`), password_salt: salt }
  }

  #forget(userId: string): void {
    this.#keys.get(userId)?.fill(0)
    this.#keys.delete(userId)
  }
}
