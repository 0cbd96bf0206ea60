import { AUTH_PATHS, GATEWAY } from '@digger/kis'
import type { Account } from '../ledger/account.ts'
import type { Reply } from './call.ts'
import { hashOf, type Request } from './gateway.ts'
import { kstText, type Keys } from './keys.ts'

const refusal = (code: string, text: string): Reply => ({
  status: 403,
  body: { error_description: text, error_code: code },
})

/** Token, revocation, approval key, hash. Null: none of these paths. */
export function authReply(keys: Keys, request: Request): Reply | null {
  if (request.method !== 'POST') return null
  const body = textFields(request.body)
  switch (request.path) {
    case AUTH_PATHS.token:
      return withAccount(keys, body.get('appkey'), body.get('appsecret'), (account) => token(keys, account, body))
    case AUTH_PATHS.approval:
      return withAccount(keys, body.get('appkey'), body.get('secretkey'), (account) => ({
        status: 200,
        body: { approval_key: keys.approve(account.spec.credentials.appKey) },
      }))
    case AUTH_PATHS.revoke:
      return withAccount(keys, body.get('appkey'), body.get('appsecret'), () => {
        keys.revoke(body.get('token') ?? '')
        return { status: 200, body: { code: 200, message: '접근토큰 폐기에 성공하였습니다' } }
      })
    case AUTH_PATHS.hashkey:
      return withAccount(keys, request.headers['appkey'], request.headers['appsecret'], () => ({
        status: 200,
        body: { BODY: Object.fromEntries(body), HASH: hashOf(request.body) },
      }))
    default:
      return null
  }
}

/** The app key of a token or approval request, for faults aimed at its account. */
export const authAccount = (keys: Keys, request: Request): Account | undefined =>
  keys.account(textFields(request.body).get('appkey') ?? '')

function token(keys: Keys, account: Account, body: ReadonlyMap<string, string>): Reply {
  if (body.get('grant_type') !== 'client_credentials') return refusal('EGW00112', '유효하지 않은 grant_type입니다.')
  const issued = keys.issue(account.spec.credentials.appKey)
  if (!issued) return refusal(GATEWAY.tokenThrottled, '접근토큰 발급 잠시 후 다시 시도하세요(1분당 1회)')
  return {
    status: 200,
    body: {
      access_token: issued.token,
      access_token_token_expired: kstText(issued.expiresAt),
      token_type: 'Bearer',
      expires_in: issued.expiresInSeconds,
    },
  }
}

function withAccount(keys: Keys, appKey = '', secret = '', then: (account: Account) => Reply): Reply {
  const account = keys.account(appKey)
  if (!account) return refusal(GATEWAY.badAppKey, '유효하지 않은 AppKey입니다.')
  if (account.spec.credentials.appSecret !== secret)
    return refusal(GATEWAY.badAppSecret, '유효하지 않은 AppSecret입니다.')
  return then(account)
}

function textFields(body: string): ReadonlyMap<string, string> {
  try {
    const parsed: unknown = JSON.parse(body)
    const entries = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []
    return new Map(entries.map(([name, value]) => [name, String(value)]))
  } catch {
    return new Map()
  }
}
