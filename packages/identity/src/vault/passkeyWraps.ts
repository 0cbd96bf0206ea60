import { hkdfSync } from 'node:crypto'
import type { Db, PasskeyRow } from '@digger/database'
import { findVault } from './rows.ts'
import { labelOf, openOrNull, seal, unseal } from './seal.ts'
import type { Vault } from './vault.ts'

type Passkey = Pick<PasskeyRow, 'credential_id' | 'user_id' | 'by_prf' | 'key_version'>

const KEY_BYTES = 32

/** Separate from whatever else somebody derives of the same secret. */
const wrapping = (prf: string, credentialId: string): Buffer =>
  Buffer.from(
    hkdfSync('sha256', Buffer.from(prf, 'base64url'), Buffer.from(credentialId), 'digger passkey wrap', KEY_BYTES),
  )

const label = ({ user_id, credential_id }: Passkey, version: number): string =>
  labelOf('passkey', [user_id, credential_id], version)

/** A user's data key, wrapped by what a passkey derives for this site (WebAuthn's PRF) and never leaves with anything else. */
export class PasskeyWraps {
  readonly #db: Db
  readonly #vault: Vault

  constructor(db: Db, vault: Vault) {
    this.#db = db
    this.#vault = vault
  }

  /** Of the key that a user has now; null: they have none. */
  async versionOf(userId: string): Promise<number | null> {
    return (await findVault(this.#db, userId))?.key_version ?? null
  }

  /** Opens the key. False where this passkey wraps none, one that was replaced since, or one that is to be replaced by the password. `prf`: 32 bytes, base64url. */
  async open(passkey: Passkey, prf: string): Promise<boolean> {
    const { user_id, credential_id, by_prf, key_version } = passkey
    const row = await findVault(this.#db, user_id)
    if (!row || row.rotation_due || by_prf === null || key_version === null || key_version !== row.key_version)
      return false
    const bytes = openOrNull(() => unseal(wrapping(prf, credential_id), by_prf, label(passkey, key_version)))
    if (bytes === null) return false
    await this.#vault.makePresent(row, { bytes, version: key_version })
    return true
  }

  /** Wraps the key that is open here. False where none is. */
  async wrap(passkey: Passkey, prf: string): Promise<boolean> {
    const { user_id, credential_id } = passkey
    const key = this.#vault.present.of(user_id)
    if (key === null) return false
    const by_prf = seal(wrapping(prf, credential_id), key.bytes, label(passkey, key.version))
    const { numUpdatedRows } = await this.#db
      .updateTable('passkey')
      .set({ by_prf, key_version: key.version })
      .where('credential_id', '=', credential_id)
      .where('user_id', '=', user_id)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}
