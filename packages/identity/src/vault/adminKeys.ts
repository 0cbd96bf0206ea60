import type { Clock, Db, AdminKeyRow, VaultRow } from '@digger/database'
import type { Passwords } from './password.ts'
import * as rows from './rows.ts'
import {
  BEFORE_VERSIONS,
  ifOpens,
  labelOf,
  newKeyPair,
  seal,
  sealFor,
  unseal,
  unsealUnbound,
  unsealWith,
} from './seal.ts'
import type { DataKey } from './wraps.ts'

type Versioned = Pick<VaultRow, 'user_id' | 'key_version'>

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

  /** With the password at hand: makes the pair when there is none, and wraps one of earlier versions as today's. */
  async prepare(db: Db, adminId: string, password: string): Promise<void> {
    const row = await rows.findAdminKey(db, adminId)
    if (!row) {
      const { change } = await this.#newPair(adminId, 1, password)
      await rows.insertAdminKey(db, { admin_id: adminId, created_at: this.#clock.now(), ...change })
    } else if (row.key_version === BEFORE_VERSIONS || row.password_cost !== this.#passwords.cost) {
      const key_version = row.key_version + 1
      const wrap = await this.#wrap(adminId, key_version, await this.#privateKey(row, password), password)
      await rows.updateAdminKey(db, row, { ...wrap, key_version })
    }
  }

  /** Seals a user's key for every administrator who lacks it. */
  async share(db: Db, userId: string, { bytes, version }: DataKey): Promise<void> {
    for (const { admin_id: adminId, public_key: publicKey } of await rows.adminsWithoutShare(db, userId)) {
      const sealed = sealFor(publicKey, bytes, labelOf('share', [userId, adminId], version))
      await rows.putShare(db, { userId, adminId, publicKey, keyVersion: version, sealed })
    }
  }

  /** The user's key; null when it was never sealed for this administrator. */
  async open(db: Db, vault: Versioned, adminId: string, password: string): Promise<DataKey | null> {
    const share = await rows.findShare(db, vault.user_id, adminId)
    const row = share && (await rows.findAdminKey(db, adminId))
    if (!share || !row) return null
    const bytes = openShare(await this.#privateKey(row, password), share.sealed, vault, adminId)
    return { bytes, version: vault.key_version }
  }

  /**
   * For a new password a new pair; what is returned runs in the transaction that stores its hash. Who knew the old
   * password and has an old copy of the database opens nothing sealed from now on. `oldPassword` null: it is lost, and
   * the pair with it; the next log-in makes a new one.
   */
  async renew(
    db: Db,
    adminId: string,
    oldPassword: string | null,
    newPassword: string,
  ): Promise<(db: Db) => Promise<void>> {
    if (oldPassword === null) return (trx) => rows.dropAdminKey(trx, adminId)
    const row = await rows.findAdminKey(db, adminId)
    if (!row) return async () => undefined
    const privateKey = await this.#privateKey(row, oldPassword)
    const { publicKey, change } = await this.#newPair(adminId, row.key_version + 1, newPassword)
    const shares = (await rows.sharesOf(db, adminId)).flatMap(({ sealed, ...vault }) => {
      const key = ifOpens(() => openShare(privateKey, sealed, vault, adminId))
      const { user_id: userId, key_version: keyVersion } = vault
      if (key === null) return []
      const again = sealFor(publicKey, key, labelOf('share', [userId, adminId], keyVersion))
      return [{ userId, adminId, publicKey, keyVersion, sealed: again }]
    })
    return async (trx) => {
      await rows.rotateSharedWith(trx, adminId)
      await rows.dropShares(trx, { adminId })
      await rows.updateAdminKey(trx, row, change)
      for (const share of shares) await rows.putShare(trx, share)
    }
  }

  async #privateKey(row: AdminKeyRow, password: string): Promise<Buffer> {
    const wrapping = await this.#passwords.key(password, row.password_salt, row.password_cost)
    return unseal(wrapping, row.private_by_password, labelOf('admin', [row.admin_id], row.key_version))
  }

  async #newPair(adminId: string, key_version: number, password: string) {
    const { publicKey, privateKey } = newKeyPair()
    const wrap = await this.#wrap(adminId, key_version, privateKey, password)
    return { publicKey, change: { ...wrap, public_key: publicKey, key_version } }
  }

  async #wrap(adminId: string, version: number, privateKey: Buffer, password: string) {
    const [password_salt, password_cost] = [this.#passwords.newSalt(), this.#passwords.cost]
    const wrapping = await this.#passwords.key(password, password_salt, password_cost)
    const label = labelOf('admin', [adminId], version)
    return { private_by_password: seal(wrapping, privateKey, label), password_salt, password_cost }
  }
}

/** Shares of before versions were not bound to the recipient; ones made since are, also those of an old key. */
function openShare(privateKey: Buffer, sealed: Buffer, { user_id, key_version }: Versioned, adminId: string): Buffer {
  const label = labelOf('share', [user_id, adminId], key_version)
  const bound = () => unsealWith(privateKey, sealed, label)
  if (key_version !== BEFORE_VERSIONS) return bound()
  return ifOpens(bound) ?? unsealUnbound(privateKey, sealed, label)
}
