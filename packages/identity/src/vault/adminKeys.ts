import type { Clock, Db, AdminKeyRow, VaultRow } from '@digger/database'
import type { Passwords } from './password.ts'
import { isHpke, newKeyPair, sealFor, unsealWith } from './hpke.ts'
import { openBoundShare, openUnboundShare } from './oldShares.ts'
import * as rows from './rows.ts'
import { BEFORE_VERSIONS, labelOf, nullIfSealed, openOrNull, seal, unseal } from './seal.ts'
import type { DataKey } from './wraps.ts'

type Versioned = Pick<VaultRow, 'user_id' | 'key_version'>
type RecipientKey = Pick<AdminKeyRow, 'admin_id' | 'public_key'>

/** A pair whose slow part is done: `store` runs in the transaction that stores the new password's hash. */
export interface RenewedPair {
  readonly store: (db: Db) => Promise<void>
  /** Absent when there is no new pair yet. */
  readonly recipient?: RecipientKey
}

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

  /** Needs the password: makes the pair when there is none, and wraps one of earlier versions as today's. */
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

  /** Seals a user's key for every administrator who lacks it or has it in an earlier form. Not for transactions. */
  async share(db: Db, userId: string, key: DataKey): Promise<void> {
    for (const admin of await rows.adminsWithoutShare(db, userId)) {
      await rows.putShare(db, await sealShare(userId, key, admin))
    }
  }

  /**
   * Seals a new key for every administrator: runs before the transaction that stores the shares. Sealing
   * waits for one of the process' few threads, and the embedded database has one connection. `renewed`: who gets
   * another pair in that transaction. An administrator who comes meanwhile gets a share at their next log-in.
   */
  async sealShares(db: Db, userId: string, key: DataKey, renewed?: RecipientKey): Promise<rows.Share[]> {
    const admins = (await rows.recipientKeys(db)).map((admin) =>
      admin.admin_id === renewed?.admin_id ? renewed : admin,
    )
    return Promise.all(admins.map((admin) => sealShare(userId, key, admin)))
  }

  /** The user's key; null when it was never sealed for this administrator. */
  async open(db: Db, vault: Versioned, adminId: string, password: string): Promise<DataKey | null> {
    const share = await rows.findShare(db, vault.user_id, adminId)
    const row = share && (await rows.findAdminKey(db, adminId))
    if (!share || !row) return null
    const bytes = await openShare(await this.#privateKey(row, password), share.sealed, vault, adminId)
    return { bytes, version: vault.key_version }
  }

  /**
   * Makes a new pair for a new password. Who knew the old password and has an old copy of the database opens nothing sealed
   * from now on. `oldPassword` null: it is lost, and the pair with it; the next log-in makes a new one.
   */
  async renew(db: Db, adminId: string, oldPassword: string | null, newPassword: string): Promise<RenewedPair> {
    if (oldPassword === null) return { store: (trx) => rows.dropAdminKey(trx, adminId) }
    const row = await rows.findAdminKey(db, adminId)
    if (!row) return { store: async () => undefined }
    const privateKey = await this.#privateKey(row, oldPassword)
    const { publicKey, change } = await this.#newPair(adminId, row.key_version + 1, newPassword)
    const recipient = { admin_id: adminId, public_key: publicKey }
    const shares = await this.#resealed(db, privateKey, recipient)
    return {
      recipient,
      store: async (trx) => {
        await rows.rotateSharedWith(trx, adminId)
        await rows.dropShares(trx, { adminId })
        await rows.updateAdminKey(trx, row, change)
        for (const share of shares) await rows.putShare(trx, share)
      },
    }
  }

  /** Every share the old private key opens, sealed for the new pair. */
  async #resealed(db: Db, privateKey: Buffer, recipient: RecipientKey): Promise<rows.Share[]> {
    const shares: rows.Share[] = []
    for (const { sealed, ...vault } of await rows.sharesOf(db, recipient.admin_id)) {
      const bytes = await openShare(privateKey, sealed, vault, recipient.admin_id).catch(nullIfSealed)
      if (bytes) shares.push(await sealShare(vault.user_id, { bytes, version: vault.key_version }, recipient))
    }
    return shares
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

async function sealShare(userId: string, { bytes, version }: DataKey, admin: RecipientKey): Promise<rows.Share> {
  const { admin_id: adminId, public_key: publicKey } = admin
  const sealed = await sealFor(publicKey, bytes, labelOf('share', [userId, adminId], version))
  return { userId, adminId, publicKey, keyVersion: version, sealed }
}

/** Opens whichever of the three forms it was sealed in. A key with a version never had the first one. */
async function openShare(privateKey: Buffer, sealed: Buffer, vault: Versioned, adminId: string): Promise<Buffer> {
  const label = labelOf('share', [vault.user_id, adminId], vault.key_version)
  if (isHpke(sealed)) return unsealWith(privateKey, sealed, label)
  if (vault.key_version !== BEFORE_VERSIONS) return openBoundShare(privateKey, sealed, label)
  return openOrNull(() => openBoundShare(privateKey, sealed, label)) ?? openUnboundShare(privateKey, sealed, label)
}
