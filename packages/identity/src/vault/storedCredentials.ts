import { Refused } from '@digger/contract'
import type { Db } from '@digger/database'
import type { StoredCredentials } from './prepared.ts'
import * as rows from './rows.ts'
import { labelOf, seal } from './seal.ts'
import type { Vault } from './vault.ts'

/** Puts other credentials in the place of the stored ones, under the key that is present. Throws where none, or another, is. */
export async function storeCredentials(
  db: Db,
  vault: Pick<Vault, 'present'>,
  userId: string,
  credentials: Required<StoredCredentials>,
): Promise<void> {
  const key = vault.present.of(userId)
  if (!key) throw new Refused('NEED_USERKEY', '사용자 키가 열려 있지 않습니다. 다시 로그인해 주세요.')
  const sealed = seal(
    key.bytes,
    Buffer.from(JSON.stringify(credentials)),
    labelOf('credentials', [userId], key.version),
  )
  const change = { credentials: sealed, changed_at: credentials.storedAt }
  if (!(await rows.updateVault(db, userId, change, key.version))) throw new Refused('CONFLICT', CHANGED_MEANWHILE)
}

const CHANGED_MEANWHILE = '같은 때 비밀번호가 바뀌어 저장하지 못했습니다. 다시 로그인해 해 주세요.'

const END = 4

/** All but the last four characters hidden; less is shown of what is short. */
export const maskSecret = (secret: string): string =>
  `••••${secret.slice(-Math.min(END, Math.floor(secret.length / 2)))}`
