import { Refused } from '@digger/contract'
import type { KisCredentials } from '@digger/kis'
import type { Clock, Db, VaultRow } from '@digger/database'
import { AdminKeys, type RenewedPair } from './adminKeys.ts'
import type { KeyShares } from './keyShares.ts'
import type { MasterKey } from './master.ts'
import { readMasterState } from './masterRows.ts'
import type { Passwords } from './password.ts'
import type { MasterState, Prepared, StoredCredentials } from './prepared.ts'
import { PresentKeys } from './presentKeys.ts'
import * as rows from './rows.ts'
import { BEFORE_VERSIONS, labelOf, newKey, openOrNull, seal, unseal } from './seal.ts'
import { type DataKey, NO_PASSWORD_WRAP, openByMaster, openByPassword, wrapByMaster, wrapByPassword } from './wraps.ts'

export interface VaultParts {
  readonly db: Db
  readonly clock: Clock
  readonly passwords: Passwords
  readonly master: MasterKey | null
  /** Where several processes share the accounts. */
  readonly keyShares?: KeyShares | null
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
  readonly keyShares: KeyShares | null
  /** Those in memory. */
  readonly present: PresentKeys

  constructor({ db, clock, passwords, master, keyShares = null }: VaultParts) {
    this.#db = db
    this.#clock = clock
    this.#passwords = passwords
    this.#master = master
    this.#admins = new AdminKeys(passwords, clock)
    this.keyShares = keyShares
    this.present = new PresentKeys((userId) => keyShares?.isOwn(userId) ?? true)
  }

  has(userId: string): boolean {
    return this.present.has(userId)
  }

  /** Prepares a vault for a sign-up: stored in the transaction that also makes the user; afterwards the key is present. */
  async prepare(userId: string, password: string, credentials: KisCredentials): Promise<Prepared> {
    const key: DataKey = { bytes: newKey(), version: 1 }
    const row: VaultRow = {
      user_id: userId,
      ...(await this.#sealed(userId, key, password, Buffer.from(JSON.stringify(credentials)))),
      held: true,
    }
    const shares = await this.#admins.sealShares(this.#db, userId, key)
    const putKeyShares = await this.keyShares?.prepare(userId, key)
    return {
      store: async (db) => {
        await rows.insertVault(db, row)
        for (const share of shares) await rows.putShare(db, share)
        await putKeyShares?.(db)
      },
      afterCommit: () => this.present.put(userId, key),
    }
  }

  /**
   * Opens the key at log-in with a password that was checked already. False when that password never wrapped the key (it was reset)
   * and the key is not in memory either: an administrator has to open it once. A key that is due is replaced here.
   */
  async openByPassword(userId: string, password: string): Promise<boolean> {
    const row = await rows.findVault(this.#db, userId)
    if (!row) return false
    const key = await this.#keyByPassword(row, password)
    if (!key) return false
    if (!this.#isDue(row)) {
      await this.makePresent(row, key)
      return true
    }
    const rotation = await this.#rotation(row, key, password, { held: true })
    const stored = await this.#db.transaction().execute((trx) => rotation.store(trx))
    // Another log-in of the same moment was first: there is a new key already.
    if (!stored) return this.openByPassword(userId, password)
    rotation.afterCommit()
    return true
  }

  /** Runs at an administrator's log-in: makes the pair that others seal for, and seals the keys that are present. */
  async prepareAdmin(adminId: string, password: string): Promise<void> {
    await this.#admins.prepare(this.#db, adminId, password)
    await this.shareWithAdmins()
  }

  /** Seals the keys that are present for administrators who lack them; they may have logged in at another process. */
  async shareWithAdmins(): Promise<void> {
    for (const userId of await rows.usersWithoutShare(this.#db, this.present.users())) {
      const key = this.present.of(userId)
      if (key) await this.#admins.share(this.#db, userId, key)
    }
  }

  /** Opens what another process has sealed for this one. False when there is none. Throws SealError for a wrong one. */
  async openByShare(userId: string): Promise<boolean> {
    const key = await this.keyShares?.open(userId)
    if (key) this.present.put(userId, key)
    return this.has(userId)
  }

  /** False when this administrator cannot open it: sealed before they were one, and not in memory since. */
  async openByAdmin(userId: string, adminId: string, adminPassword: string): Promise<boolean> {
    const row = await rows.findVault(this.#db, userId)
    if (!row) return false
    const key = this.#present(row) ?? (await this.#admins.open(this.#db, row, adminId, adminPassword))
    if (!key) return false
    await this.makePresent(row, key)
    return true
  }

  /** Returns the users whose key the master key opened after a restart. One that does not open harms no other. */
  async openByMaster(
    failed: (userId: string, error: unknown) => void = () => undefined,
    isWanted: (userId: string) => boolean = () => true,
  ): Promise<string[]> {
    const master = this.#master
    if (master === null) return []
    const held = await rows.heldVaults(this.#db, master.mark)
    const opened: string[] = []
    for (const row of held.filter(({ user_id }) => isWanted(user_id))) {
      try {
        const key = await openByMaster(master, row)
        if (key === null) continue
        this.present.put(row.user_id, key)
        opened.push(row.user_id)
      } catch (error) {
        failed(row.user_id, error)
      }
    }
    return opened
  }

  /** Null without a master key. */
  async masterState(): Promise<MasterState | null> {
    return this.#master && (await readMasterState(this.#db, this.#master))
  }

  /** Null when the key is absent. Throws SealError when the stored bytes are not those it sealed last. */
  async credentials(userId: string): Promise<StoredCredentials | null> {
    const row = await rows.findVault(this.#db, userId)
    const key = this.#present(row)
    if (!key || !row) return null
    const credentials: StoredCredentials = JSON.parse(this.#opened(row, key).toString())
    return credentials
  }

  /** Takes the key out of memory, and a restart does not bring it back. */
  async remove(userId: string): Promise<void> {
    this.forget(userId)
    await rows.updateVault(this.#db, userId, { held: false })
  }

  /** Takes the key out of memory alone, in this very turn. */
  forget(userId: string): void {
    this.present.forget(userId)
  }

  /**
   * Makes a new key for a new password, so that the old password and an old copy of the database open nothing from now on.
   * `oldPassword` null: it is lost. The key stays readable without it when it is in memory or a master key wraps it; else
   * an administrator helps. It changes at the next log-in then, since a server with the old one may be running.
   */
  async renew(userId: string, oldPassword: string | null, newPassword: string): Promise<Prepared> {
    const row = await rows.findVault(this.#db, userId)
    const pair = await this.#admins.renew(this.#db, userId, oldPassword, newPassword)
    const key = await (oldPassword === null ? this.#keyWithoutPassword(row) : this.#keyByPassword(row, oldPassword))
    if (row && key && oldPassword !== null) {
      const { store, afterCommit } = await this.#rotation(row, key, newPassword, {}, pair.recipient)
      return {
        store: async (db) => {
          await pair.store(db)
          if (!(await store(db))) throw new Refused('CONFLICT', CHANGED_MEANWHILE)
        },
        afterCommit: () => this.has(userId) && afterCommit(),
      }
    }
    const wrap = key ? await wrapByPassword(this.#passwords, userId, key, newPassword) : NO_PASSWORD_WRAP
    return {
      store: async (db) => {
        await pair.store(db)
        await rows.updateVault(db, userId, { ...wrap, rotation_due: true, changed_at: this.#clock.now() })
      },
      afterCommit: () => undefined,
    }
  }

  /** Encrypts something else of the user, as the broker's token. Null when the key is absent. */
  sealFor(userId: string, what: string, secret: string): Buffer | null {
    const key = this.present.of(userId)
    return key ? seal(key.bytes, Buffer.from(secret), labelOf(what, [userId], key.version)) : null
  }

  /** Null when the key is absent or the bytes are not this user's. */
  unsealOf(userId: string, what: string, sealed: Buffer): string | null {
    const key = this.present.of(userId)
    const opened = key && openOrNull(() => unseal(key.bytes, sealed, labelOf(what, [userId], key.version)))
    return opened?.toString() ?? null
  }

  close(): void {
    for (const userId of this.present.users()) this.forget(userId)
  }

  #isDue(row: VaultRow): boolean {
    const { key_version, rotation_due, by_password, password_cost } = row
    const isOldForm = key_version === BEFORE_VERSIONS || password_cost !== this.#passwords.cost
    return rotation_due || by_password === null || isOldForm
  }

  /** A new key for everything the old one opened. `store`: false when the row has another key by then. */
  async #rotation(
    row: VaultRow,
    old: DataKey,
    password: string,
    change: Partial<Pick<VaultRow, 'held'>>,
    renewed?: RenewedPair['recipient'],
  ) {
    const userId = row.user_id
    const key: DataKey = { bytes: newKey(), version: row.key_version + 1 }
    const sealed = await this.#sealed(userId, key, password, this.#opened(row, old))
    const shares = await this.#admins.sealShares(this.#db, userId, key, renewed)
    const putKeyShares = await this.keyShares?.prepare(userId, key)
    return {
      store: async (db: Db): Promise<boolean> => {
        if (!(await rows.updateVault(db, userId, { ...sealed, ...change }, old.version))) return false
        await rows.dropShares(db, { userId })
        for (const share of shares) await rows.putShare(db, share)
        await putKeyShares?.(db)
        for (const token of await rows.tokensOf(db, userId)) {
          const [before, now] = [old, key].map(({ version }) => labelOf(`token ${token.env}`, [userId], version))
          const opened = openOrNull(() => unseal(old.bytes, token.sealed, before ?? ''))
          await rows.putToken(db, userId, token.env, opened && seal(key.bytes, opened, now ?? ''))
        }
        return true
      },
      afterCommit: () => this.present.put(userId, key),
    }
  }

  /** Everything of a row that depends on the key. */
  async #sealed(userId: string, key: DataKey, password: string, credentials: Buffer) {
    return {
      credentials: seal(key.bytes, credentials, labelOf('credentials', [userId], key.version)),
      ...(await wrapByPassword(this.#passwords, userId, key, password)),
      ...(await wrapByMaster(this.#master, userId, key)),
      key_version: key.version,
      rotation_due: false,
      changed_at: this.#clock.now(),
    }
  }

  #opened({ user_id, credentials }: VaultRow, { bytes, version }: DataKey): Buffer {
    return unseal(bytes, credentials, labelOf('credentials', [user_id], version))
  }

  /** A key of another version than the row's opens nothing of it: it counts as absent. */
  #present(row: VaultRow | undefined): DataKey | null {
    const key = row && this.present.of(row.user_id)
    return key && key.version === row.key_version ? key : null
  }

  async #keyByPassword(row: VaultRow | undefined, password: string): Promise<DataKey | null> {
    if (!row) return null
    return (await openByPassword(this.#passwords, row, password)) ?? this.#keyWithoutPassword(row)
  }

  async #keyWithoutPassword(row: VaultRow | undefined): Promise<DataKey | null> {
    return row ? (this.#present(row) ?? (await openByMaster(this.#master, row))) : null
  }

  async makePresent(row: VaultRow, key: DataKey): Promise<void> {
    const putKeyShares = await this.keyShares?.prepare(row.user_id, key)
    // Of several processes one may have the master key and another not: its wrap stays.
    const isWrapped = row.master_mark === (this.#master?.mark ?? null) || (this.#master === null && putKeyShares)
    const master = isWrapped ? {} : await wrapByMaster(this.#master, row.user_id, key)
    const store = async (db: Db): Promise<void> => {
      await rows.updateVault(db, row.user_id, { held: true, ...master }, key.version)
      await putKeyShares?.(db)
    }
    await (putKeyShares ? this.#db.transaction().execute(store) : store(this.#db))
    // Only then: a key that is closed meanwhile is not written as held by a restart.
    this.present.put(row.user_id, key)
    await this.#admins.share(this.#db, row.user_id, key)
  }
}

const CHANGED_MEANWHILE = '같은 때 다른 곳에서 로그인해 비밀번호를 바꾸지 못했습니다. 다시 해 주세요.'
