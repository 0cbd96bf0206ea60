import type { KisCredentials, StoredToken } from '@digger/kis'
import { type Db, OperatorError, realClock } from '@digger/database'
import { findUserByEmail, listUsers, Passwords, readMasterKey, TokenStore, Vault } from '@digger/identity'

type Environment = Readonly<Record<string, string | undefined>>

/** A key, and the token that is kept with it. */
export interface Keys {
  readonly credentials: KisCredentials
  readonly load: () => Promise<StoredToken | null>
  readonly save: (token: StoredToken) => Promise<void>
}

/** Of a key that is in no database; null: none is given. A token of it lives as long as this process. */
export function keysOfEnvironment(env: Environment): Keys | null {
  const { KIS_APP_KEY: appKey, KIS_APP_SECRET: appSecret, KIS_ACCOUNT: accountNumber, KIS_HTS_ID: htsId } = env
  if (!appKey && !appSecret && !accountNumber) return null
  if (!appKey || !appSecret || !accountNumber)
    throw new OperatorError(
      'KIS_APP_KEY, KIS_APP_SECRET, KIS_ACCOUNT를 모두 주세요(체결 통보까지 보려면 KIS_HTS_ID도).',
    )
  let kept: StoredToken | null = null
  return {
    credentials: { appKey, appSecret, accountNumber, htsId: htsId ?? '' },
    load: async () => kept,
    save: async (token) => {
      kept = token
    },
  }
}

export interface FromVault {
  readonly db: Db
  /** E-mail; undefined: the only user there is. */
  readonly email: string | undefined
  readonly masterKeyFile: string | undefined
  /** Host by name, as tokens are kept. */
  readonly env: 'real' | 'paper'
  readonly password: () => Promise<string>
}

/** Of a person of this server, opened by their password, or by the operator's master key. */
export async function keysOfVault({ db, email, masterKeyFile, env, password }: FromVault): Promise<Keys> {
  const users = await listUsers(db)
  const user = email === undefined && users.length === 1 ? users[0] : await findUserByEmail(db, email ?? '')
  if (!user)
    throw new OperatorError(
      email === undefined ? '누구의 연결인지 --user 이메일로 정해 주세요.' : `${email}라는 사용자가 없습니다.`,
    )
  const vault = new Vault({ db, clock: realClock, passwords: new Passwords(), master: readMasterKey(masterKeyFile) })
  const isOpen = await vault.openByPassword(user.id, await password())
  const credentials = isOpen ? await vault.credentials(user.id) : null
  if (credentials === null) throw new OperatorError('비밀번호가 맞지 않거나 증권사 정보가 없습니다.')
  const tokens = new TokenStore(db, vault, realClock)
  return {
    credentials: { ...credentials, htsId: credentials.htsId ?? '' },
    load: () => tokens.load(user.id, env),
    save: (token) => tokens.save(user.id, env, token),
  }
}
