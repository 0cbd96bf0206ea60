import { calls, MAX_TOKENS, type Reply } from '@digger/contract'
import { NO_LIMITS, type RequestLimits } from '@digger/http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { askForToken, bearing, makeToken, problemOrDone, type Wanted } from './api-token.ts'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type Person, type ServerFixture, type ServerFixtureOptions } from './server-fixture.ts'

const DAY_MS = 86_400_000

let fixture: ServerFixture
let owner: Person
let other: Person

async function start(options: ServerFixtureOptions = {}): Promise<void> {
  fixture = await startFixture(options)
  owner = await fixture.addPerson('owner')
  other = await fixture.addPerson('mate')
}
afterEach(() => fixture[Symbol.asyncDispose]())

const make = (person: Person, wanted: Wanted = {}) => makeToken(fixture, person, wanted)
const asked = (person: Person, wanted: Wanted = {}) => askForToken(fixture, person, wanted)
const list = async ({ cookie }: Person, userId = 'user') =>
  (await fixture.call('GET', `/api/${userId}/token`, { cookie })).json<Reply<'apiTokens'>>()
const newest = async (person: Person): Promise<number> => (await list(person))[0]?.id ?? 0
const get = (path: string, secret: string, more: Record<string, string> = {}) =>
  fixture.call('GET', path, { headers: bearing(secret, more) })
const works = async (secret: string) => problemOrDone(await get('/api/user/venues', secret))
const logInAgain = async (person: Person) => ({ ...person, cookie: await fixture.logIn(person.email) })
const stop = (by: { secret: string } | Person, how: string) =>
  fixture.call('POST', '/api/user/stop', {
    ...('secret' in by ? { headers: bearing(by.secret) } : { cookie: by.cookie }),
    payload: { level: 'user', stop: how },
  })
const listen = () => fixture.app.listen({ host: '127.0.0.1', port: 0 })

describe('a token ends', () => {
  beforeEach(() => start())

  test('when its time is over', async () => {
    const secret = await make(owner, { days: 7 })
    fixture.clock.advance(7 * DAY_MS - 1)
    expect(await works(secret)).toBe('done')
    fixture.clock.advance(1)
    expect(await works(secret)).toBe('LOGIN_REQUIRED')
    const [shown] = await list(owner)
    expect(Date.parse(shown?.expiresAt ?? '')).toBe(fixture.clock.now())
    // A month later nobody asks any more why a program was refused.
    fixture.clock.advance(30 * DAY_MS)
    expect(await list(await logInAgain(owner))).toEqual([])
  })

  test('when it is revoked, at once here', async () => {
    const secret = await make(owner)
    expect(await works(secret)).toBe('done')
    const id = await newest(owner)
    const revoke = () => fixture.call('DELETE', `/api/user/token/${id}`, { cookie: owner.cookie })
    expect((await revoke()).json()).toEqual([])
    expect(await works(secret)).toBe('LOGIN_REQUIRED')
    expect(problemIn(await revoke())).toBe('NOT_FOUND')
  })

  test('within 15 seconds where another process revoked it', async () => {
    const secret = await make(owner)
    expect(await works(secret)).toBe('done')
    await fixture.database.db.deleteFrom('api_token').execute()
    fixture.clock.advance(14_999)
    expect(await works(secret)).toBe('done')
    fixture.clock.advance(1)
    expect(await works(secret)).toBe('LOGIN_REQUIRED')
  })

  test('with a change of the password, and nobody else’s', async () => {
    const [mine, others] = [await make(other), await make(owner)]
    expect([await works(mine), await works(others)]).toEqual(['done', 'done'])
    const payload = { oldPassword: PASSWORD, newPassword: PASSWORD }
    expect((await fixture.call('PUT', '/api/user/user', { cookie: other.cookie, payload })).statusCode).toBe(200)
    expect([await works(mine), await works(others)]).toEqual(['LOGIN_REQUIRED', 'done'])
    expect(await fixture.database.db.selectFrom('api_token').select('user_id').execute()).toEqual([
      { user_id: owner.userId },
    ])
  })

  test('with its streams, also where it was revoked elsewhere or has expired', async () => {
    const base = await listen()
    const open = async (days: number) => {
      const reply = await fetch(`${base}/api/user/events`, { headers: bearing(await make(owner, { days })) })
      const text = { isOver: false }
      void readToEnd(reply).then(() => (text.isOver = true))
      return { status: reply.status, id: await newest(owner), text }
    }
    const [revoked, elsewhere, expiring, staying] = [await open(30), await open(30), await open(7), await open(365)]
    expect([revoked.status, elsewhere.status, expiring.status, staying.status]).toEqual([200, 200, 200, 200])
    const over = () => [revoked, elsewhere, expiring, staying].map(({ text }) => text.isOver)
    const soon = { timeout: 10_000 }

    await fixture.call('DELETE', `/api/user/token/${revoked.id}`, { cookie: owner.cookie })
    await vi.waitFor(() => expect(over()).toEqual([true, false, false, false]), soon)
    await fixture.database.db.deleteFrom('api_token').where('id', '=', elsewhere.id).execute()
    await vi.waitFor(() => {
      fixture.clock.advance(250)
      expect(over()).toEqual([true, true, false, false])
    }, soon)
    const { db } = fixture.database
    const soonOver = { expires_at: fixture.clock.now() + 1_000 }
    await db.updateTable('api_token').set(soonOver).where('id', '=', expiring.id).execute()
    await vi.waitFor(() => {
      fixture.clock.advance(250)
      expect(over()).toEqual([true, true, true, false])
    }, soon)
  })
})

async function readToEnd({ body }: Response): Promise<void> {
  for await (const piece of body ?? []) expect(piece.length).toBeGreaterThan(0)
}

describe('making and listing', () => {
  beforeEach(() => start())

  test('the secret is shown once and stored as its hash; the list says who uses it and from where', async () => {
    const secret = await make(owner, { name: '  거실 화면 ', scope: 'stop', days: 365 })
    expect(secret).toMatch(/^digger_stop_[\w-]{43}$/)
    const fresh = await list(owner)
    const now = fixture.clock.now()
    expect(fresh[0]).toMatchObject({ name: '거실 화면', scope: 'stop', usedAt: null, usedFrom: null })
    expect(Date.parse(fresh[0]?.expiresAt ?? '')).toBe(now + 365 * DAY_MS)
    await get('/api/user/balance', secret, { 'x-forwarded-for': '203.0.113.5' })
    expect((await list(owner))[0]).toMatchObject({ usedFrom: '203.0.113.5', usedAt: expect.any(String) })
    const { rows } = await fixture.database.pool.query('select to_jsonb(t)::text as row from api_token t')
    const stored = JSON.stringify(rows)
    const part = secret.slice('digger_stop_'.length)
    expect(stored).not.toContain(part)
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
    expect(stored).not.toContain(Buffer.from(part).toString('hex'))
    expect(fixture.log.join('\n')).not.toContain(part)
  })
  test('its use is written once a minute, or when it comes from elsewhere', async () => {
    const secret = await make(owner)
    const usedAt = async () => Date.parse((await list(owner))[0]?.usedAt ?? '')
    await get('/api/user/balance', secret)
    const first = await usedAt()
    fixture.clock.advance(59_000)
    await get('/api/user/balance', secret)
    expect(await usedAt()).toBe(first)
    await get('/api/user/balance', secret, { 'x-forwarded-for': '203.0.113.6' })
    expect(await usedAt()).toBe(first + 59_000)
  })
  test.each([
    ['no name', { name: ' ' }],
    ['a long name', { name: '가'.repeat(41) }],
    ['a name that turns the writing round', { name: 'a\u202Eb' }],
    ['a name with a line in it', { name: 'a\nb' }],
    ['a scope of its own', { scope: 'all' }],
    ['no time', { days: 0 }],
    ['a time of its own', { days: 3_650 }],
  ])('%s: INVALID', async (_, wanted) => expect(problemIn(await asked(owner, wanted))).toBe('INVALID'))
  test('a name of 40 letters, and 90 days where none are named', async () => {
    const payload = { name: '가'.repeat(40), scope: 'read' }
    const reply = await fixture.call('POST', '/api/user/token', { cookie: other.cookie, payload })
    const { token } = reply.json<Reply<'makeApiToken'>>()
    expect(Date.parse(token.expiresAt) - Date.parse(token.createdAt)).toBe(90 * DAY_MS)
  })
  test('there are twenty at most, also asked for at once; those that expired are not counted', async () => {
    const person = await fixture.addPerson('many')
    const replies = await Promise.all(Array.from({ length: MAX_TOKENS + 5 }, () => asked(person)))
    expect(replies.map(problemOrDone).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'CONFLICT'),
      ...Array.from({ length: MAX_TOKENS }, () => 'done'),
    ])
    fixture.clock.advance(8 * DAY_MS)
    expect(problemOrDone(await asked(await logInAgain(person)))).toBe('done')
  })
  test('an administrator lists and revokes another’s, and makes none; others see nothing', async () => {
    const admin = await fixture.addPerson('boss', true)
    const secret = await make(other)
    expect((await list(admin, other.userId)).length).toBe(1)
    const payload = { name: 'x', scope: 'read' }
    const made = await fixture.call('POST', `/api/${other.userId}/token`, { cookie: admin.cookie, payload })
    expect(problemIn(made)).toBe('FORBIDDEN')
    const id = await newest(other)
    for (const [path, cookie] of [
      [`/api/${other.userId}/token/${id}`, owner.cookie],
      [`/api/user/token/${id}`, owner.cookie],
    ] as const)
      expect(problemIn(await fixture.call('DELETE', path, { cookie }))).toMatch(/FORBIDDEN|NOT_FOUND/)
    expect(await works(secret)).toBe('done')
    const path = `/api/${other.userId}/token/${id}`
    expect((await fixture.call('DELETE', path, { cookie: admin.cookie })).statusCode).toBe(200)
    expect(await works(secret)).toBe('LOGIN_REQUIRED')
  })
})

test('the account’s record and the log have its name, and never its secret', async () => {
  await start()
  const secret = await make(owner, { name: '비상 버튼', scope: 'stop' })
  await stop({ secret }, 'halt')
  await stop({ secret }, 'active')
  await get('/api/user/token', secret)
  await get('/api/user/venues', `${secret}x`)
  const lines = (await fixture.call('GET', '/api/user/audit', { cookie: owner.cookie })).json<Reply<'audit'>>()
  const of = (name: 'makeApiToken' | 'setStop') => lines.filter(({ action }) => action === calls[name].summary)
  expect(of('makeApiToken')).toMatchObject([{ by: owner.email, detail: '비상 버튼 stop 7일' }])
  expect(of('setStop').map(({ by }) => by)).toEqual([`${owner.email} (토큰: 비상 버튼)`])
  const log: unknown[] = fixture.log.map((line) => JSON.parse(line))
  const named = log.filter((line) => JSON.stringify(line).includes('"apiToken":"비상 버튼"'))
  expect(named).toMatchObject([{ status: 200 }, { status: 403 }, { status: 403 }])
  const part = secret.slice('digger_stop_'.length)
  expect(JSON.stringify(lines)).not.toContain(part)
  expect(fixture.log.join('\n')).not.toContain(part)
  expect(fixture.log.join('\n').toLowerCase()).not.toContain('bearer')
})

describe('how often it may ask', () => {
  const requestLimits: RequestLimits = {
    ...NO_LIMITS,
    token: { burst: 30, perSecond: 1 },
    person: { burst: 50, perSecond: 1 },
    stranger: { burst: 5, perSecond: 1 },
  }
  let base: string
  beforeEach(async () => {
    await start({ parts: { requestLimits } })
    base = await listen()
  })
  const statuses = async (times: number, headers: Record<string, string>) => {
    const found: number[] = []
    for (let i = 0; i < times; i += 1) found.push((await fetch(`${base}/api/user/venues`, { headers })).status)
    return found
  }

  test('thirty at once, then one a second; another token has its own, and a stop is counted apart', async () => {
    const [mine, also] = [await make(owner, { scope: 'stop' }), await make(owner)]
    expect(await statuses(31, bearing(mine))).toEqual([...Array<number>(30).fill(200), 429])
    const refused = await get('/api/user/venues', mine)
    expect(refused.json()).toEqual({ code: 'BUSY', message: expect.stringMatching(/토큰.*60번/) })
    expect(await statuses(2, bearing(also))).toEqual([200, 200])
    expect((await stop({ secret: mine }, 'reduce')).statusCode).toBe(200)
    fixture.clock.advance(1_000)
    expect(await statuses(2, bearing(mine))).toEqual([200, 429])
  })

  test('one gone wild takes nothing of its person’s browsers, and has three streams', async () => {
    const secret = await make(owner)
    expect(await statuses(1, bearing(secret))).toEqual([200])
    expect(await statuses(60, bearing(secret))).toContain(429)
    const page = await fetch(`${base}/api/user/venues`, { headers: { cookie: owner.cookie } })
    expect(page.status).toBe(200)
    fixture.clock.advance(30_000)
    const open = async (headers: Record<string, string>) => (await fetch(`${base}/api/user/events`, { headers })).status
    const streams: number[] = []
    for (let n = 0; n < 4; n += 1) streams.push(await open(bearing(secret)))
    expect(streams).toEqual([200, 200, 200, 429])
    expect(await open({ cookie: owner.cookie })).toBe(200)
  })

  test('guesses count with what strangers ask, whatever cookie is beside them', async () => {
    const secret = await make(owner)
    expect(await statuses(1, bearing(secret))).toEqual([200])
    const guess = bearing(`digger_read_${'A'.repeat(43)}`, { cookie: owner.cookie })
    // The first look at the good token took one of the five of the address.
    expect(await statuses(5, guess)).toEqual([401, 401, 401, 401, 429])
    expect(await statuses(3, bearing(secret))).toEqual([200, 200, 200])
    await fixture.call('DELETE', `/api/user/token/${await newest(owner)}`, { cookie: owner.cookie })
    // Whoever goes on with a token that has ended is a stranger, once it has been looked up.
    expect(await statuses(1, bearing(secret))).toEqual([401])
    await vi.waitFor(async () => expect(await statuses(1, bearing(secret))).toEqual([429]))
  })
})
