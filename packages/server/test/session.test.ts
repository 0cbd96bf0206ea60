import { HtsIdError } from '@digger/kis'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type Person, ServerFixture, credentialsOf } from './server-fixture.ts'

const comparing = () => expect.hasAssertions()
beforeEach(comparing)

const DAY_MS = 86_400_000
let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
})
afterEach(() => fixture[Symbol.asyncDispose]())

const logIn = (email: string, password: string, headers: Record<string, string> = {}) =>
  fixture.call('POST', '/api/login', { payload: { email, password }, headers })
const me = (cookie: string) => fixture.call('GET', '/api/user/user', { cookie })

const change = (oldPassword: string, newPassword: string) =>
  fixture.call('PUT', '/api/user/user', { cookie: owner.cookie, payload: { oldPassword, newPassword } })
/** With the cookie that a browser has of this scheme. */
const post = (headers: Record<string, string>) => {
  const overTls = headers['x-forwarded-proto'] === 'https'
  const cookie = overTls ? owner.cookie.replace('digger_session', '__Host-digger_session') : owner.cookie
  return fixture.call('POST', '/api/user/stop', { cookie, headers, payload: { level: 'user', stop: 'reduce' } })
}

describe('cookies', () => {
  test('the session is out of reach of scripts; the hints are readable and trusted by nobody', async () => {
    const { cookies } = await logIn(owner.email, PASSWORD)
    const session = cookies.find(({ name }) => name === 'digger_session')
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    const hints = Object.fromEntries(cookies.filter(({ value }) => value).map(({ name, value }) => [name, value]))
    expect(hints).toMatchObject({ email: owner.email, userId: owner.userId })
    expect(hints).not.toHaveProperty('diggerAdmin')
    const forged = `${owner.cookie}; diggerAdmin=true; adminEmail=${owner.email}`
    expect(problemIn(await fixture.call('GET', '/api/admin/8017/user', { cookie: forged }))).toBe('FORBIDDEN')
  })

  test('an administrator also gets the admin hints, and plain HTTPS makes cookies secure', async () => {
    const admin = await fixture.addPerson('boss', true)
    const { cookies } = await logIn(admin.email, PASSWORD, { 'x-forwarded-proto': 'https' })
    const hints = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
    expect(hints).toMatchObject({ diggerAdmin: 'true', adminEmail: admin.email })
    expect(cookies.every(({ secure }) => secure)).toBe(true)
  })

  test('logging out ends the session on the server and clears every cookie', async () => {
    const reply = await fixture.call('DELETE', '/api/login', { cookie: owner.cookie })
    expect(reply.cookies.every(({ value }) => value === '')).toBe(true)
    expect(reply.cookies).toHaveLength(5)
    expect(problemIn(await me(owner.cookie))).toBe('LOGIN_REQUIRED')
  })

  test('the database holds no token', async () => {
    const { rows } = await fixture.database.pool.query('select token_hash from session')
    const token = /digger_session=([^;]+)/.exec(owner.cookie)?.[1] ?? 'none'
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'))
  })
})

describe('a session lives', () => {
  test('thirty days without use', async () => {
    fixture.clock.advance(30 * DAY_MS)
    expect(problemIn(await me(owner.cookie))).toBe('LOGIN_REQUIRED')
  })
  test('longer when used, but not beyond ninety days', async () => {
    for (let days = 0; days < 85; days += 5) {
      fixture.clock.advance(5 * DAY_MS)
      expect((await me(owner.cookie)).statusCode).toBe(200)
    }
    fixture.clock.advance(5 * DAY_MS)
    expect(problemIn(await me(owner.cookie))).toBe('LOGIN_REQUIRED')
  })
  test('until it is taken away outside this process, seconds later', async () => {
    await fixture.database.pool.query('delete from session')
    fixture.clock.advance(15_000)
    expect(problemIn(await me(owner.cookie))).toBe('LOGIN_REQUIRED')
  })
})

describe('changing the password', () => {
  test('ends every session, and the new one opens the key', async () => {
    const second = await fixture.logIn(owner.email)
    expect((await change(PASSWORD, '새 비밀번호 5678')).statusCode).toBe(200)
    for (const cookie of [owner.cookie, second]) expect(problemIn(await me(cookie))).toBe('LOGIN_REQUIRED')
    expect(problemIn(await logIn(owner.email, PASSWORD))).toBe('LOGIN_REQUIRED')
    fixture.vault.close()
    const cookie = await fixture.logIn(owner.email, '새 비밀번호 5678')
    expect((await me(cookie)).json()).toMatchObject({ userKey: true })
    expect(await fixture.vault.credentials(owner.userId)).toMatchObject({ htsId: 'hts-owner' })
  })

  test('with a wrong old one changes nothing', async () => {
    expect(problemIn(await change('틀린 비밀번호', '새 비밀번호 5678'))).toBe('INVALID')
    expect((await logIn(owner.email, PASSWORD)).statusCode).toBe(200)
  })
})

const OVER_TLS = { host: '127.0.0.1:8081', 'x-forwarded-proto': 'https' }

describe('calls from other sites', () => {
  test.each([
    ['our own page', { origin: 'http://127.0.0.1:8081', host: '127.0.0.1:8081' }, 200],
    ['the development server', { origin: 'http://localhost:5173' }, 200],
    ['a tool without a browser', {}, 200],
    ['another site', { origin: 'https://evil.example', host: '127.0.0.1:8081' }, 403],
    ['another port of the same machine', { origin: 'http://127.0.0.1:9999', host: '127.0.0.1:8081' }, 403],
    ['a sandboxed frame', { origin: 'null', host: '127.0.0.1:8081' }, 403],
    ['our page, as somebody on the way wrote it', { origin: 'http://127.0.0.1:8081', ...OVER_TLS }, 403],
    ['our page by https behind a proxy', { origin: 'https://127.0.0.1:8081', ...OVER_TLS }, 200],
    ['https at a server that serves http', { origin: 'https://127.0.0.1:8081', host: '127.0.0.1:8081' }, 403],
    ['no page at all', { origin: 'ftp://127.0.0.1:8081', host: '127.0.0.1:8081' }, 403],
    ['our public page, whatever the proxy reports of it', { origin: 'https://digger.example.com' }, 200],
    ['a cross-site form without Origin', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('%s: %o → %i', async (_who, headers, status) => {
    expect((await post(headers)).statusCode).toBe(status)
  })

  test('only the development origin may read replies with credentials', async () => {
    const dev = await fixture.call('GET', '/api/user/user', { headers: { origin: 'http://localhost:5173' } })
    expect(dev.headers).toMatchObject({
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-credentials': 'true',
    })
    const evil = await fixture.call('GET', '/api/user/user', { headers: { origin: 'https://evil.example' } })
    expect(evil.headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('sign-up', () => {
  const body = { email: 'Newcomer@Digger.test ', password: PASSWORD, ...credentialsOf('newcomer') }
  const signUp = (change: object = {}) => fixture.call('POST', '/api/user/user', { payload: { ...body, ...change } })

  test('says whether the broker took the HTS ID, and refuses a wrong one at its field', async () => {
    fixture.brokerError = new HtsIdError('htsid')
    const refused = await signUp()
    expect([problemIn(refused), refused.json<{ message: string }>().message]).toEqual([
      'INVALID',
      expect.stringMatching(/^HTS ID: 증권사가 모르는 아이디입니다/),
    ])
    fixture.brokerError = null
    fixture.htsIdKnown = false
    // Nobody knows: no dead end.
    expect((await signUp()).json()).toMatchObject({ htsIdChecked: false })
  })

  test('makes a user whose account is open and who can log in', async () => {
    const reply = await signUp()
    const { userId } = reply.json<{ userId: string }>()
    expect(reply.statusCode).toBe(200)
    expect(fixture.accounts.unlockedWith.get(userId)).toMatchObject({ appKey: body.appKey })
    const cookie = await fixture.logIn('newcomer@digger.test')
    expect((await me(cookie)).json()).toMatchObject({
      userId,
      userKey: true,
      diggerAdmin: false,
      env: 'sim',
      market: { hours: 'always' },
    })
  })

  test('an e-mail that is taken, and an account that somebody else trades, are conflicts', async () => {
    expect(problemIn(await signUp({ email: owner.email }))).toBe('CONFLICT')
    const { accountNumber } = credentialsOf('owner')
    expect(problemIn(await signUp({ accountNumber }))).toBe('CONFLICT')
    const eightDigits = accountNumber.slice(0, 8)
    const dashed = `${eightDigits}-${accountNumber.slice(8)}`
    expect(problemIn(await signUp({ accountNumber: eightDigits }))).toBe('CONFLICT')
    expect(problemIn(await signUp({ accountNumber: dashed }))).toBe('CONFLICT')
  })

  test('what fails once the user exists is logged, and their account is opened when they log in', async () => {
    const away = new Error('the database is away')
    const reserve = vi.spyOn(fixture.services.throttle, 'signUp')
    reserve.mockResolvedValue({ waitMs: 0, giveBack: () => Promise.reject(away) })
    const open = vi.spyOn(fixture.accounts, 'open').mockRejectedValue(away)
    const reply = await signUp()
    expect([reply.statusCode, reply.json()]).toMatchObject([200, { userId: expect.any(String) }])
    const { userId } = reply.json<{ userId: string }>()
    expect(fixture.accounts.has(userId)).toBe(false)
    const logged = fixture.log.map((line) => JSON.parse(line)).filter((line) => line.userId === userId)
    expect(logged.map(({ level, err }) => [level, err.message])).toEqual([
      [50, away.message],
      [50, away.message],
      [50, away.message],
    ])

    open.mockRestore()
    const { cookie: boss } = await fixture.addPerson('boss', true)
    const all = (await fixture.call('GET', '/api/admin/8017/user', { cookie: boss })).json<{ socket: boolean }[]>()
    expect(all).toContainEqual(expect.objectContaining({ userId, socket: false }))
    // Whether or not the broker answers then.
    fixture.accounts.unlockError = away
    const cookie = await fixture.logIn('newcomer@digger.test')
    expect((await me(cookie)).json()).toMatchObject({ userId, userKey: true })
    expect((await fixture.call('GET', '/api/user/stock', { cookie })).statusCode).toBe(200)
  })

  test('what the broker refuses leaves no user behind', async () => {
    const { RefusedError } = await import('@digger/kis')
    fixture.brokerError = new RefusedError('유효하지 않은 AppKey입니다.')
    const reply = await signUp()
    expect(problemIn(reply)).toBe('REJECTED')
    expect(reply.json<{ message: string }>().message).toContain('유효하지 않은 AppKey입니다.')
    fixture.brokerError = null
    expect((await signUp()).statusCode).toBe(200)
  })
})

test('every reply forbids what our pages do not need', async () => {
  const { headers } = await fixture.call('GET', '/api/user/user')
  expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/)
  expect(headers['content-security-policy']).not.toMatch(/unsafe/)
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
})
