import { LOST_HEADER } from '@digger/contract'
import { shardOf } from '@digger/database'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { LightMyRequestResponse } from 'fastify'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type Person, type ServerFixture, cookieOf } from './server-fixture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
})
afterEach(() => fixture[Symbol.asyncDispose]())

const HTTPS = { 'x-forwarded-proto': 'https' }
const logIn = (email: string, password: string, cookie = '', headers: Record<string, string> = {}) =>
  fixture.call('POST', '/api/login', { payload: { email, password }, cookie, headers })
const me = (cookie: string, headers: Record<string, string> = {}) =>
  fixture.call('GET', '/api/user/user', { cookie, headers })
const change = (cookie: string, oldPassword: string, newPassword: string) =>
  fixture.call('PUT', '/api/user/user', { cookie, payload: { oldPassword, newPassword } })
const valueOf = (reply: LightMyRequestResponse, cookie: string) =>
  reply.cookies.find(({ name }) => name === cookie)?.value ?? ''
const sessionOf = (cookie: string) => /digger_session=([^;]+)/.exec(cookie)?.[1] ?? ''
/** Wrong from twenty addresses: whoever is no known device is out for a while. */
async function shutOut(email: string): Promise<void> {
  for (let n = 1; n <= 20; n++) await logIn(email, '틀린 것', '', { 'x-forwarded-for': `198.51.100.${n}` })
}

test('one whose account goes to another process meanwhile is made there once more, and begins no session here', async () => {
  const { owned, pool } = fixture.database
  const before = await pool.query('select 1 from session')
  const shard = shardOf(owner.userId)
  const own = owned.of(owner.userId)
  // The tests of this file share a database: the account of another may be of the same shard.
  onTestFinished(() => own && owned.take(shard, own))
  const { accounts } = fixture
  const open = accounts.open.bind(accounts)
  accounts.open = async (userId) => {
    await open(userId)
    owned.drop(shard)
  }
  const reply = await logIn(owner.email, PASSWORD)
  expect([problemIn(reply), reply.headers[LOST_HEADER], reply.cookies]).toEqual(['BUSY', '1', []])
  expect((await pool.query('select 1 from session')).rowCount).toBe(before.rowCount)
})

describe('a known device', () => {
  test('lets its owner in whatever strangers try; nobody else, and no other cookie', async () => {
    const mate = await fixture.addPerson('mate')
    await shutOut(owner.email)
    await shutOut(mate.email)
    expect(problemIn(await logIn(owner.email, PASSWORD))).toBe('BUSY')
    expect(problemIn(await logIn(owner.email, PASSWORD, `digger_device=${'x'.repeat(43)}`))).toBe('BUSY')
    expect(problemIn(await logIn(mate.email, PASSWORD, owner.cookie))).toBe('BUSY')
    expect((await logIn(owner.email, PASSWORD, owner.cookie)).statusCode).toBe(200)
  })

  test('outlives the log-out, is out of reach of scripts, and is kept as a hash', async () => {
    await fixture.call('DELETE', '/api/login', { cookie: owner.cookie })
    await shutOut(owner.email)
    const reply = await logIn(owner.email, PASSWORD, owner.cookie)
    const device = reply.cookies.find(({ name }) => name === 'digger_device')
    expect(device).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 180 * 86_400 })
    const { rows } = await fixture.database.pool.query('select token_hash from known_device')
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(device?.value ?? '').toString('hex'))
  })

  test('has five tries of its own and is then a stranger’s', async () => {
    const codes: string[] = []
    for (let n = 0; n < 13; n++) codes.push(problemIn(await logIn(owner.email, '틀린 것', owner.cookie)))
    expect(codes).toEqual([...Array(10).fill('LOGIN_REQUIRED'), ...Array(3).fill('BUSY')])
  })

  test('has a new token after each log-in: one that was seen or planted is of no use', async () => {
    const entered = await logIn(owner.email, PASSWORD, owner.cookie)
    expect(valueOf(entered, 'digger_device')).not.toBe('')
    expect(owner.cookie).not.toContain(valueOf(entered, 'digger_device'))
    await shutOut(owner.email)
    expect(problemIn(await logIn(owner.email, PASSWORD, owner.cookie))).toBe('BUSY')
    expect((await logIn(owner.email, PASSWORD, cookieOf(entered))).statusCode).toBe(200)
  })

  test('is known for each of the people who share it', async () => {
    const mate = await fixture.addPerson('mate')
    const shared = cookieOf(await logIn(mate.email, PASSWORD, owner.cookie))
    await shutOut(owner.email)
    await shutOut(mate.email)
    const again = await logIn(owner.email, PASSWORD, shared)
    expect(again.statusCode).toBe(200)
    expect((await logIn(mate.email, PASSWORD, cookieOf(again))).statusCode).toBe(200)
  })

  test('is forgotten with the password, but for the one that changed it; and after half a year', async () => {
    const other = await fixture.logIn(owner.email)
    const changed = await change(owner.cookie, PASSWORD, '새 비밀번호 5678')
    await shutOut(owner.email)
    for (const old of [owner.cookie, other]) {
      expect(problemIn(await logIn(owner.email, '새 비밀번호 5678', old))).toBe('BUSY')
    }
    const kept = `digger_device=${valueOf(changed, 'digger_device')}`
    expect((await logIn(owner.email, '새 비밀번호 5678', kept)).statusCode).toBe(200)
    const late = cookieOf(await logIn(owner.email, '새 비밀번호 5678', kept))
    fixture.clock.advance(180 * DAY_MS)
    await shutOut(owner.email)
    expect(problemIn(await logIn(owner.email, '새 비밀번호 5678', late))).toBe('BUSY')
  })

  test('there are twenty of one person at most', async () => {
    for (let n = 0; n < 23; n++) {
      fixture.clock.advance(1_000)
      await fixture.logIn(owner.email)
    }
    const { rows } = await fixture.database.pool.query<{ n: number }>('select count(*) n from known_device')
    expect(rows[0]?.n).toBe(20)
  })
})

describe('the session cookie', () => {
  test('over TLS is of this host only, and no plain one is taken there', async () => {
    const reply = await logIn(owner.email, PASSWORD, '', HTTPS)
    const token = valueOf(reply, '__Host-digger_session')
    expect(reply.cookies.find(({ name }) => name === '__Host-digger_session')).toMatchObject({
      httpOnly: true,
      secure: true,
      path: '/',
    })
    expect(reply.cookies.map(({ name }) => name)).not.toContain('digger_session')
    expect(reply.cookies.every(({ domain }) => domain === undefined)).toBe(true)
    expect((await me(`__Host-digger_session=${token}`, HTTPS)).statusCode).toBe(200)
    expect(problemIn(await me(`digger_session=${token}`, HTTPS))).toBe('LOGIN_REQUIRED')
    const both = `digger_session=${sessionOf(owner.cookie)}; __Host-digger_session=${token}`
    expect((await me(both, HTTPS)).statusCode).toBe(200)
    const out = await fixture.call('DELETE', '/api/login', { cookie: both, headers: HTTPS })
    expect(out.cookies.find(({ name }) => name === '__Host-digger_session')).toMatchObject({ value: '', secure: true })
    expect(problemIn(await me(both, HTTPS))).toBe('LOGIN_REQUIRED')
    expect((await me(owner.cookie)).statusCode).toBe(200)
  })

  test('behind a proxy that does not name the scheme: by the page’s own origin', async () => {
    const page = { origin: 'https://digger.example.com', host: 'digger.example.com' }
    const reply = await logIn(owner.email, PASSWORD, '', page)
    const token = valueOf(reply, '__Host-digger_session')
    expect((await me(`__Host-digger_session=${token}`)).statusCode).toBe(200)
  })

  const planted = `digger_session=${'planted'.padEnd(43, 'x')}`
  test.each([
    ['before', (own: string) => `${planted}; ${own}`],
    ['after', (own: string) => `${own}; ${planted}`],
    ['seven times before', (own: string) => `${Array.from({ length: 7 }, (_, i) => planted + i).join('; ')}; ${own}`],
    [
      'a hundred times after',
      (own: string) => `${own}; ${Array.from({ length: 100 }, (_, i) => planted + i).join('; ')}`,
    ],
  ])('one that means nothing, planted %s, hides nobody’s own', async (_where, cookies) => {
    for (let n = 0; n < 2; n++) {
      const { userId } = (await me(cookies(owner.cookie))).json<{ userId: string }>()
      expect(userId).toBe(owner.userId)
    }
  })

  test('another person’s living one: nobody is logged in, and both are over', async () => {
    const mate = await fixture.addPerson('mate')
    const both = `digger_session=${sessionOf(mate.cookie)}; digger_session=${sessionOf(owner.cookie)}`
    expect(problemIn(await me(both))).toBe('LOGIN_REQUIRED')
    for (const cookie of [mate.cookie, owner.cookie]) expect(problemIn(await me(cookie))).toBe('LOGIN_REQUIRED')
  })

  test('two of one’s own are one person', async () => {
    const second = await fixture.logIn(owner.email)
    expect((await me(`digger_session=${sessionOf(second)}; ${owner.cookie}`)).statusCode).toBe(200)
  })

  test('of the browser’s last session ends with a log-in, and only then', async () => {
    expect(problemIn(await logIn(owner.email, '틀린 것', owner.cookie))).toBe('LOGIN_REQUIRED')
    expect((await me(owner.cookie)).statusCode).toBe(200)
    const elsewhere = await fixture.logIn(owner.email)
    const next = cookieOf(await logIn(owner.email, PASSWORD, owner.cookie))
    expect(problemIn(await me(owner.cookie))).toBe('LOGIN_REQUIRED')
    for (const cookie of [next, elsewhere]) expect((await me(cookie)).statusCode).toBe(200)
  })
})

interface Line {
  readonly at: string
  readonly by: string
  readonly action: string
  readonly detail: string
}
const audit = async (query = '') =>
  (await fixture.call('GET', `/api/user/audit${query}`, { cookie: owner.cookie })).json<Line[]>()

describe('the audit a user reads', () => {
  test('has log-ins with their address, known or new device, and log-outs', async () => {
    const second = await fixture.logIn(owner.email)
    fixture.clock.advance(1)
    const third = await logIn(owner.email, PASSWORD, second, { 'x-forwarded-for': '203.0.113.9' })
    fixture.clock.advance(1)
    await fixture.call('DELETE', '/api/login', { cookie: cookieOf(third) })
    const lines = (await audit()).map(({ action, detail }) => `${action}: ${detail}`)
    expect(lines).toEqual([
      '로그아웃: 127.0.0.1',
      '로그인: 아는 기기 · 203.0.113.9',
      '로그인: 처음 보는 기기 · 127.0.0.1',
      '로그인: 처음 보는 기기 · 127.0.0.1',
    ])
  })

  test('has one line for an hour of failures, among the others in time, and none of another’s', async () => {
    const mate = await fixture.addPerson('mate')
    fixture.clock.advance(HOUR_MS)
    for (let n = 1; n <= 9; n++) await logIn(owner.email, '틀린 것', '', { 'x-forwarded-for': `198.51.100.${n}` })
    await logIn('nobody@digger.test', '틀린 것')
    fixture.clock.advance(HOUR_MS)
    await logIn(owner.email, '틀린 것', owner.cookie)
    fixture.clock.advance(1)
    await fixture.logIn(owner.email).catch(() => undefined)
    const lines = await audit()
    expect(lines.map(({ action, detail }) => `${action}: ${detail}`)).toEqual([
      '로그인: 처음 보는 기기 · 127.0.0.1',
      '비밀번호 틀림: 이 한 시간에 1번 · 마지막 주소 127.0.0.1',
      '비밀번호 틀림: 이 한 시간에 5번 · 마지막 주소 198.51.100.5',
      '로그인: 처음 보는 기기 · 127.0.0.1',
    ])
    const older = await audit(`?limit=2&before=${encodeURIComponent(lines[1]?.at ?? '')}`)
    expect(older).toEqual(lines.slice(2))
    const mates = await fixture.call('GET', '/api/user/audit', { cookie: mate.cookie })
    expect(mates.json<Line[]>()).toHaveLength(1)
  })

  test('the server’s log names who was tried, not wholly, and never the password', async () => {
    await logIn('someone.long@digger.test', '몰래-친-비밀번호')
    const log = fixture.log.join('')
    expect(log).toContain('so***@digger.test')
    expect(log).not.toContain('someone')
    expect(log).not.toContain('몰래')
  })
})
