import type { VaultRow } from '@digger/database'
import type { MasterKey } from './master.ts'
import type { Passwords } from './password.ts'
import { labelOf, seal, unseal } from './seal.ts'

/** A user's data key. A newer version replaces it whenever somebody who could open it no longer may. */
export interface DataKey {
  readonly bytes: Buffer
  readonly version: number
}

type PasswordWrap = Pick<VaultRow, 'by_password' | 'password_salt' | 'password_cost'>
type MasterWrap = Pick<VaultRow, 'by_master' | 'master_mark'>

export const NO_PASSWORD_WRAP: PasswordWrap = { by_password: null, password_salt: null, password_cost: null }

export async function wrapByPassword(
  passwords: Passwords,
  userId: string,
  { bytes, version }: DataKey,
  password: string,
): Promise<PasswordWrap> {
  const [password_salt, password_cost] = [passwords.newSalt(), passwords.cost]
  const wrapping = await passwords.key(password, password_salt, password_cost)
  return { by_password: seal(wrapping, bytes, labelOf('password', [userId], version)), password_salt, password_cost }
}

/** Null when no password wraps it. Throws SealError for a wrong one. */
export async function openByPassword(passwords: Passwords, row: VaultRow, password: string): Promise<DataKey | null> {
  const { user_id, by_password, password_salt, password_cost, key_version: version } = row
  if (by_password === null || password_salt === null) return null
  const wrapping = await passwords.key(password, password_salt, password_cost)
  return { bytes: unseal(wrapping, by_password, labelOf('password', [user_id], version)), version }
}

export async function wrapByMaster(
  master: MasterKey | null,
  userId: string,
  { bytes, version }: DataKey,
): Promise<MasterWrap> {
  if (master === null) return { by_master: null, master_mark: null }
  return { by_master: await master.wrap(bytes, labelOf('master', [userId], version)), master_mark: master.mark }
}

/** Null when this master key does not wrap it. Throws SealError when the row was changed. */
export async function openByMaster(master: MasterKey | null, row: VaultRow): Promise<DataKey | null> {
  const { user_id, by_master, master_mark, key_version: version } = row
  if (master === null || by_master === null || master_mark !== master.mark) return null
  return { bytes: await master.unwrap(by_master, labelOf('master', [user_id], version)), version }
}
