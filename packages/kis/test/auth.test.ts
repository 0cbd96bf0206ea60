import { describe, expect, test } from 'vitest'
import { CREDENTIALS, NOW, startBroker } from './broker.ts'
import type { Reply } from './broker.ts'
import { TokenError, UnreachableError } from '../src/index.ts'
import { ApprovalKeys, issueToken, keyId } from '../src/transport/auth.ts'
import { DEFAULT_TIMEOUTS, Http } from '../src/transport/http.ts'

const HOUR = 3_600_000

/** One token from an endpoint with this reply. */
async function issueFrom(reply: Reply) {
  await using broker = await startBroker(() => reply)
  const http = new Http(broker.url, DEFAULT_TIMEOUTS)
  const result = await issueToken(http, CREDENTIALS, NOW)
  await http.close()
  return result
}

describe('when a token ends', () => {
  test.each<[string, object, number]>([
    ['by seconds alone', { expires_in: 3_600 }, NOW + HOUR],
    ['by seconds as text', { expires_in: '3600' }, NOW + HOUR],
    [
      'by the clock, when it is earlier',
      { expires_in: 86_400, access_token_token_expired: '2026-11-16 11:00:00' },
      NOW + HOUR,
    ],
    [
      'by seconds, when they are earlier',
      { expires_in: 3_600, access_token_token_expired: '2026-11-17 10:00:00' },
      NOW + HOUR,
    ],
    [
      'by seconds, when the clock is past',
      { expires_in: 3_600, access_token_token_expired: '2026-11-16 09:00:00' },
      NOW + HOUR,
    ],
    ['by seconds, when the clock shows no time', { expires_in: 3_600, access_token_token_expired: 'soon' }, NOW + HOUR],
    [
      'by the clock, when the seconds are none',
      { expires_in: 'x', access_token_token_expired: '2026-11-16 11:00:00' },
      NOW + HOUR,
    ],
    ['after a day, when nothing says', {}, NOW + 24 * HOUR],
    ['after a day, when the seconds are negative', { expires_in: -5 }, NOW + 24 * HOUR],
  ])('%s', async (_name, fields, expiresAt) => {
    expect(await issueFrom({ body: { access_token: 'token', ...fields } })).toEqual({
      kind: 'issued',
      token: { token: 'token', issuedAt: NOW, expiresAt },
    })
  })
})

describe('no token', () => {
  test.each<[string, Reply, string | null, RegExp]>([
    ['an empty token', { body: { access_token: '' } }, null, /HTTP 200/],
    ['a token that is no text', { body: { access_token: 5 } }, null, /HTTP 200/],
    ['a token with an error status', { status: 500, body: { access_token: 'token' } }, null, /HTTP 500/],
    [
      'wrong keys',
      { status: 403, body: { error_code: 'EGW00105', error_description: '유효하지 않은 AppSecret' } },
      'EGW00105',
      /AppSecret/,
    ],
    ['a page', { status: 502, body: '<html></html>' }, null, /HTTP 502/],
    ['a reset', 'reset', null, /연결할 수 없어/],
  ])('%s', async (_name, reply, code, message) => {
    const result = await issueFrom(reply)
    expect(result).toMatchObject({ kind: 'failed', error: { name: 'TokenError', code } })
    expect(result.kind === 'failed' && result.error.message).toMatch(message)
  })

  test('EGW00133 is a kind of its own: the endpoint is to be left alone', async () => {
    const reply = { status: 403, body: { error_code: 'EGW00133', error_description: '1분당 1회' } }
    expect(await issueFrom(reply)).toEqual({ kind: 'throttled', message: '1분당 1회' })
  })
})

/** Approval keys from an endpoint that numbers them, or answers this; the clock stands until moved. */
async function approvalsFrom(reply: Reply | null, use: (keys: ApprovalKeys, clock: { now: number }) => Promise<void>) {
  let asked = 0
  await using broker = await startBroker(() => {
    asked += 1
    return reply ?? { body: { approval_key: `approval${asked}` } }
  })
  const http = new Http(broker.url, DEFAULT_TIMEOUTS)
  const clock = { now: NOW }
  await use(new ApprovalKeys(http, CREDENTIALS, () => clock.now), clock)
  await http.close()
  return asked
}

describe('approval keys', () => {
  test('one lasts for half a day, and is replaced when the broker does not know it', async () => {
    const asked = await approvalsFrom(null, async (keys, clock) => {
      expect(await keys.get()).toBe('approval1')
      clock.now += 12 * HOUR - 1
      expect(await keys.get()).toBe('approval1')
      clock.now += 1
      expect(await keys.get()).toBe('approval2')
      keys.forget()
      expect(await keys.get()).toBe('approval3')
    })
    expect(asked).toBe(3)
  })

  test.each<[string, Reply, typeof TokenError | typeof UnreachableError, string | null]>([
    [
      'wrong keys',
      { status: 403, body: { error_code: 'EGW00103', error_description: 'AppKey' } },
      TokenError,
      'EGW00103',
    ],
    ['no key in the reply', { body: {} }, TokenError, null],
    ['an empty key', { body: { approval_key: '' } }, TokenError, null],
    ['a page', { status: 502, body: '<html></html>' }, TokenError, null],
    ['a reset', 'reset', UnreachableError, null],
  ])('%s: an error each time, and nothing is remembered', async (_name, reply, kind, code) => {
    const asked = await approvalsFrom(reply, async (keys) => {
      for (let n = 0; n < 2; n += 1) {
        const error: unknown = await keys.get().catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(kind)
        expect(error).toMatchObject({ code })
      }
    })
    expect(asked).toBe(2)
  })
})

test('the name of a key differs by host and key, and shows neither key nor secret', () => {
  const names = [keyId('https://a:1', 'key'), keyId('https://b:1', 'key'), keyId('https://a:1', 'other')]
  expect(new Set(names).size).toBe(3)
  expect(names[0]).toMatch(/^a:1:[0-9a-f]{32}$/)
})
