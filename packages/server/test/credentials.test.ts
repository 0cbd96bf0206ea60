import { HtsIdError, TokenError } from '@digger/kis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { problemIn } from './request.ts'
import { PASSWORD, type Person, type ServerFixture, credentialsOf } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

const DAY_MS = 86_400_000
let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
})
afterEach(() => fixture[Symbol.asyncDispose]())

const URL = '/api/user/credentials'
const change = (body: object, cookie = owner.cookie, url = URL) =>
  fixture.call('PUT', url, { cookie, payload: { password: PASSWORD, ...body } })
const shown = async (cookie = owner.cookie) => (await fixture.call('GET', URL, { cookie })).json<object | null>()
const stored = () => fixture.vault.credentials(owner.userId)
const OTHER_KEY = 'N'.repeat(32).concat('wxyz')

test('what is stored is shown by its end alone', async () => {
  const { appKey, appSecret } = credentialsOf('owner')
  const text = JSON.stringify(await shown())
  expect(text).toContain(appKey.slice(-4))
  for (const secret of [appKey, appSecret, 'hts-owner']) expect(text).not.toContain(secret)
  fixture.vault.forget(owner.userId)
  expect(await shown()).toBeNull()
})

describe('other keys', () => {
  test('are tried, stored encrypted, and the account begins anew with them and without the old token', async () => {
    await fixture.services.tokens.save(owner.userId, 'sim', { token: 'old', expiresAt: fixture.clock.now() + DAY_MS })
    fixture.clock.advance(340 * DAY_MS)
    const cookie = await fixture.logIn(owner.email)
    const reply = await change({ appKey: OTHER_KEY, htsId: 'new-id' }, cookie)
    expect(reply.json()).toMatchObject({ htsIdChecked: true, connected: true })
    const { appSecret, accountNumber } = credentialsOf('owner')
    expect(await stored()).toMatchObject({ appKey: OTHER_KEY, appSecret, htsId: 'new-id', accountNumber })
    expect(fixture.accounts.unlockedWith.get(owner.userId)).toMatchObject({ appKey: OTHER_KEY, htsId: 'new-id' })
    expect(await fixture.services.tokens.load(owner.userId, 'sim')).toBeNull()
    expect(await shown(cookie)).toMatchObject({ appKey: '••••wxyz' })
    const { rows } = await fixture.database.pool.query('select credentials from vault')
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(OTHER_KEY).toString('hex'))
    const me = (await fixture.call('GET', '/api/user/user', { cookie })).json<{ keysStoredAt: string }>()
    expect(Date.parse(me.keysStoredAt)).toBe(fixture.clock.now())
  })

  test('outlive a restart: the next log-in opens them', async () => {
    await change({ htsId: 'new-id' })
    fixture.vault.close()
    await fixture.logIn(owner.email)
    expect(await stored()).toMatchObject({ htsId: 'new-id' })
  })

  test('sent twice are the same keys once more', async () => {
    const replies = [await change({ htsId: 'new-id' }), await change({ htsId: 'new-id' })]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await stored()).toMatchObject({ htsId: 'new-id' })
  })

  test('leave a line in the log that names what was changed, and shows none of it', async () => {
    await change({ appKey: OTHER_KEY, htsId: 'new-id' })
    const [line] = (await fixture.call('GET', '/api/user/audit', { cookie: owner.cookie })).json<object[]>()
    expect(line).toMatchObject({ by: owner.email, action: '증권사 정보 변경', detail: 'appKey, HTS ID' })
    for (const secret of [OTHER_KEY, 'new-id', PASSWORD]) expect(fixture.log.join('')).not.toContain(secret)
  })

  test('are stored where the broker says nothing of the HTS ID, and the person learns so', async () => {
    fixture.htsIdKnown = false
    expect((await change({ htsId: 'new-id' })).json()).toMatchObject({ htsIdChecked: false })
    // One that stays need not be tried: the account's own connection has it.
    expect((await change({ appKey: OTHER_KEY })).json()).toMatchObject({ htsIdChecked: true })
  })

  test('need no open key where the password opens it', async () => {
    fixture.vault.forget(owner.userId)
    expect((await change({ htsId: 'new-id' })).statusCode).toBe(200)
    expect(await stored()).toMatchObject({ htsId: 'new-id' })
  })
})

const unchanged = async () => expect(await stored()).toMatchObject({ htsId: 'hts-owner' })

describe('nothing is changed', () => {
  test.each([
    ['a wrong HTS ID', new HtsIdError('htsid'), 'INVALID', /^HTS ID: /],
    ['a wrong secret', new TokenError('유효하지 않은 AppSecret입니다.', 'EGW00105'), 'REJECTED', /AppSecret/],
  ] as const)('by %s', async (_what, error, code, says) => {
    fixture.brokerError = error
    const reply = await change({ htsId: 'new-id' })
    expect([problemIn(reply), reply.json<{ message: string }>().message]).toEqual([code, expect.stringMatching(says)])
    await unchanged()
  })

  test('by a wrong password, which is counted', async () => {
    const reply = await change({ htsId: 'new-id', password: 'not mine' })
    expect([problemIn(reply), reply.json<{ message: string }>().message]).toEqual([
      'INVALID',
      expect.stringMatching(/^비밀번호: /),
    ])
    await unchanged()
  })

  test('by an administrator: with whose keys an account trades is its own person’s matter', async () => {
    const boss = await fixture.addPerson('boss', true)
    const reply = await change({ htsId: 'new-id' }, boss.cookie, `/api/${owner.userId}/credentials`)
    expect(problemIn(reply)).toBe('FORBIDDEN')
    await unchanged()
  })
})
