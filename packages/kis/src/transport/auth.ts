import { createHash } from 'node:crypto'
import type { KisCredentials } from '../api.ts'
import { KisError, TokenError, UnreachableError } from '../errors.ts'
import { kstInstant } from '../kst.ts'
import { GATEWAY } from '../wire/codes.ts'
import { AUTH_PATHS } from '../wire/endpoints.ts'
import { parseObject, readReply } from './api-reply.ts'
import type { Http, HttpResponse } from './http.ts'
import { showKeyReply } from './inspection.ts'
import type { IssueResult } from './token.ts'

/** Host and app key, without showing the key: the name under which a token is stored. */
export const keyId = (url: string, appKey: string): string =>
  `${new URL(url).host}:${createHash('sha256').update(appKey).digest('hex').slice(0, 32)}`

async function post(http: Http, path: string, body: Record<string, string>): Promise<HttpResponse> {
  const headers = { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' }
  const response = await http.send({ method: 'POST', path, headers, body: JSON.stringify(body) }, 'key')
  showKeyReply({ path, status: response.status, body: parseObject(response.text) })
  return response
}

/** One request to the token endpoint; when to ask is the keeper's business. */
export async function issueToken(http: Http, { appKey, appSecret }: KisCredentials, now: number): Promise<IssueResult> {
  try {
    const body = { grant_type: 'client_credentials', appkey: appKey, appsecret: appSecret }
    const response = await post(http, AUTH_PATHS.token, body)
    const fields = parseObject(response.text)
    const token = fields?.['access_token']
    if (response.status === 200 && typeof token === 'string' && token !== '') {
      return { kind: 'issued', token: { token, issuedAt: now, expiresAt: expiryOf(fields ?? {}, now) } }
    }
    const reply = readReply(response)
    if (reply?.code === GATEWAY.tokenThrottled) return { kind: 'throttled', message: reply.message }
    const message = reply?.message || `접근 토큰을 받지 못했습니다 (HTTP ${response.status}).`
    return { kind: 'failed', error: new TokenError(message, reply?.code || null) }
  } catch (error) {
    return {
      kind: 'failed',
      error: new TokenError('증권사에 연결할 수 없어 접근 토큰을 받지 못했습니다.', null, error),
    }
  }
}

/** The clock time in the answer (KST, no zone) and the remaining seconds should agree; the earlier one is safe. */
function expiryOf(fields: Record<string, unknown>, now: number): number {
  const seconds = Number(fields['expires_in'])
  const byLength = now + (Number.isFinite(seconds) && seconds > 0 ? seconds : 86_400) * 1_000
  const clock = fields['access_token_token_expired']
  const [day = '', time = ''] = typeof clock === 'string' ? clock.split(' ') : []
  const byClock = kstInstant(day.replaceAll('-', ''), time.replaceAll(':', ''))
  // A clock time in the past means the two clocks differ, not that the token was born dead.
  return byClock > now ? Math.min(byClock, byLength) : byLength
}

/** An approval key opens sockets for 24 h; one that is half that old is not relied upon. */
const MAX_APPROVAL_AGE_MS = 12 * 3_600_000
/** One that is younger than this in the morning lasts until the last session of the day is over. */
const YOUNG_MS = 8 * 3_600_000

export class ApprovalKeys {
  readonly #http: Http
  readonly #credentials: KisCredentials
  readonly #now: () => number
  #key: string | null = null
  #at = 0

  constructor(http: Http, credentials: KisCredentials, now: () => number) {
    this.#http = http
    this.#credentials = credentials
    this.#now = now
  }

  async get(): Promise<string> {
    if (this.#key !== null && this.#now() - this.#at < MAX_APPROVAL_AGE_MS) return this.#key
    const { appKey, appSecret } = this.#credentials
    try {
      const body = { grant_type: 'client_credentials', appkey: appKey, secretkey: appSecret }
      const response = await post(this.#http, AUTH_PATHS.approval, body)
      const key = parseObject(response.text)?.['approval_key']
      if (response.status !== 200 || typeof key !== 'string' || key === '') {
        const reply = readReply(response)
        throw new TokenError(
          reply?.message || `실시간 접속키를 받지 못했습니다 (HTTP ${response.status}).`,
          reply?.code,
        )
      }
      this.#key = key
      this.#at = this.#now()
      return key
    } catch (error) {
      if (error instanceof KisError) throw error
      throw new UnreachableError('증권사에 연결할 수 없어 실시간 접속키를 받지 못했습니다.', null, error)
    }
  }

  /** Whether a key of now would last for a trading day that begins soon. */
  get lastsToday(): boolean {
    return this.#key !== null && this.#now() - this.#at < YOUNG_MS
  }

  /** After OPSP0011: the broker does not know the key. */
  forget(): void {
    this.#key = null
  }
}
