import { type Reply, Refused } from '@digger/contract'
import { kstIso } from '@digger/core'
import type { Clock, Db } from '@digger/database'
import { checkAgain, findUser, maskSecret, storeCredentials, type Session, type Vault } from '@digger/identity'
import type { KisCredentials } from '@digger/kis'
import type { KeyRing } from './key-ring.ts'

export type CredentialsParts = Parameters<typeof checkAgain>[0] & {
  readonly database: { readonly db: Db }
  readonly clock: Clock
  readonly vault: Vault
  readonly keys: KeyRing
  readonly brokerCheck: (credentials: KisCredentials) => Promise<boolean>
}

/** What a person may see of what is stored; null while their key is closed. */
export async function maskedCredentials(
  { database, vault }: Pick<CredentialsParts, 'database' | 'vault'>,
  userId: string,
): Promise<Reply<'credentials'>> {
  const [user, stored] = [await findUser(database.db, userId), await vault.credentials(userId)]
  if (!user || !stored) return null
  const { appKey, appSecret, htsId } = stored
  return {
    appKey: maskSecret(appKey),
    appSecret: maskSecret(appSecret),
    htsId: maskSecret(htsId),
    accountNumber: user.account_masked,
    storedAt: kstIso(stored.storedAt ?? user.created_at),
  }
}

export interface NewCredentials {
  readonly caller: Session
  readonly userId: string
  readonly address: string
  readonly body: {
    readonly password: string
    readonly appKey?: string | undefined
    readonly appSecret?: string | undefined
    readonly htsId?: string | undefined
  }
}

/**
 * Tries other keys of the same account at the broker, stores them, and has the account begin anew with them. Throws what is wrong, and
 * then the stored ones stay. `htsIdChecked` false: the broker did not say whether the HTS ID is right.
 */
export async function changeCredentials(parts: CredentialsParts, given: NewCredentials) {
  const { database, vault, keys, clock, brokerCheck } = parts
  const { caller, userId, address, body } = given
  // With somebody else's keys an account would be traded by whoever put them there.
  if (caller.userId !== userId) throw new Refused('FORBIDDEN', NOT_YOURS)
  const again = { userId, email: caller.email, password: body.password, address }
  if (!(await checkAgain(parts, caller, again))) throw new Refused('INVALID', WRONG_PASSWORD)
  if (!vault.has(userId)) await vault.openByPassword(userId, body.password)
  const before = await vault.credentials(userId)
  if (!before) throw new Refused('NEED_USERKEY', '사용자 키가 열려 있지 않습니다. 관리자에게 키를 열어 달라고 하세요.')
  const { appKey = before.appKey, appSecret = before.appSecret, htsId = before.htsId } = body
  const credentials = { appKey, appSecret, htsId, accountNumber: before.accountNumber }
  const checked = await brokerCheck(credentials)
  await keys.replace(userId, () =>
    storeCredentials(database.db, vault, userId, { ...credentials, storedAt: clock.now() }),
  )
  // The account's own connection has the key meanwhile, so that an HTS ID that stays cannot be tried; it need not be.
  return { htsIdChecked: checked || htsId === before.htsId, changed: FIELDS.filter((name) => body[name] !== undefined) }
}

const FIELDS = ['appKey', 'appSecret', 'htsId'] as const
const NOT_YOURS = '증권사 정보는 계좌 주인만 바꿀 수 있습니다.'
const WRONG_PASSWORD = '비밀번호: 지금 비밀번호가 맞지 않습니다. 다시 입력해 주세요.'
