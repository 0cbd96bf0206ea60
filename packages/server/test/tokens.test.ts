import { type CallName, calls, isFile, paths, type Reply, type TokenScope } from '@digger/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bearing, makeToken, problemOrDone } from './api-token.ts'
import { badRequests, goodRequest, hasUser, injection, names, problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import type { Person, ServerFixture } from './server-fixture.ts'

const SCOPES = ['read', 'stop'] as const satisfies readonly TokenScope[]
/** Written down once more: what is let in here by mistake is seen. */
const READ: readonly CallName[] = [
  'balance',
  'brokerBalance',
  'connectionCheck',
  'events',
  'exportTable',
  'gain',
  'historyProgress',
  'limits',
  'liveOrders',
  'me',
  'money',
  'morning',
  'ordered',
  'orders',
  'realStart',
  'shadow',
  'shadowOrders',
  'socket',
  'stock',
  'stockHistory',
  'stocks',
  'stop',
  'today',
  'trades',
  'venues',
]
const STOP: readonly CallName[] = ['cancelOrder', 'cancelOrders', 'setStop', 'stopAll']
const mayBy = { read: READ, stop: [...READ, ...STOP] }

let fixture: ServerFixture
let owner: Person
let other: Person
let admin: Person
let secrets: Record<TokenScope, string>

beforeAll(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  other = await fixture.addPerson('mate')
  admin = await fixture.addPerson('boss', true)
  await giveHistory()
  secrets = {
    read: await makeToken(fixture, owner, { scope: 'read' }),
    stop: await makeToken(fixture, owner, { scope: 'stop' }),
  }
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
  fixture.giveStock(owner.userId)
  fixture.freezeStock(owner.userId)
  fixture.log.length = 0
})

const get = (path: string, secret: string, more: Record<string, string> = {}) =>
  fixture.call('GET', path, { headers: bearing(secret, more) })
const post = (path: string, secret: string, payload: object) =>
  fixture.call('POST', path, { headers: bearing(secret), payload })

/** The call as its sample has it, by a token and nothing else. */
function ask(name: CallName, secret: string, userId: string) {
  const { headers, ...rest } = injection(name, goodRequest(name, userId), '')
  return fixture.app.inject({ ...rest, headers: { ...headers, ...bearing(secret) } })
}
/** Of histories, which are read from the tables alone. */
const giveHistory = () =>
  sql`
    with account as (
      insert into account (user_id, day, stop, next_order_id, next_lot_id, seq)
      values (${owner.userId}, '20261120', 'active', 1, 1, 0))
    insert into stock (user_id, code, name, market, kind, nxt, settings, stop, price_subscribed, acc_gain_amount, rejects, version, updated_at, kept)
    values (${owner.userId}, '005930', '삼성전자', 'KOSPI', 'stock', true, '{}'::jsonb, 'active', true, 0, 0, 1, 0, 0)`.execute(
    fixture.database.db,
  )

/** The stream answers for ever. */
const plain = names.filter((name) => name !== 'events')

describe('which calls a token may make', () => {
  test.each(SCOPES)('%s: those that the contract names, and no other', (scope) => {
    const marked = names.filter((name) => {
      const call = calls[name]
      return 'tokens' in call && (call.tokens === 'read' || call.tokens === scope)
    })
    expect(marked.sort((a, b) => (a < b ? -1 : 1))).toEqual([...mayBy[scope]].sort((a, b) => (a < b ? -1 : 1)))
  })
  test('what only reads is read by GET, what stops is not, and each is about the owner’s account', () => {
    expect(READ.filter((name) => paths[name][0] !== 'GET' || calls[name].access !== 'owner')).toEqual([])
    expect(STOP.filter((name) => paths[name][0] === 'GET' || calls[name].access !== 'owner')).toEqual([])
    expect(mayBy.stop.filter((name) => !hasUser(name))).toEqual([])
  })

  const cases = SCOPES.flatMap((scope) => plain.map((name) => [scope, name] as const))
  test.each(cases.filter(([scope, name]) => mayBy[scope].includes(name)))('%s: %s is answered', async (scope, name) => {
    const reply = await ask(name, secrets[scope], 'user')
    expect([name, reply.statusCode, reply.body.slice(0, 200)]).toEqual([name, 200, expect.any(String)])
    const issues = isFile(name) ? undefined : calls[name].reply.safeParse(reply.json()).error?.issues
    expect(issues).toBeUndefined()
    expect((await ask(name, secrets[scope], owner.userId)).statusCode).toBe(200)
  })
  test.each(cases.filter(([scope, name]) => !mayBy[scope].includes(name)))('%s: %s is refused', async (scope, name) => {
    for (const userId of ['user', owner.userId])
      expect(problemIn(await ask(name, secrets[scope], userId))).toBe('FORBIDDEN')
    expect(fixture.accounts.book(owner.userId).stop).toBe('active')
  })
  test.each(cases.filter(([, name]) => hasUser(name)))(
    '%s: %s of another’s account is refused, whether or not that is there',
    async (scope, name) => {
      const real = await ask(name, secrets[scope], other.userId)
      const invented = await ask(name, secrets[scope], 'zzzzzzzzzzzzzzzz')
      expect([problemIn(real), invented.body]).toEqual(['FORBIDDEN', real.body])
    },
  )
  test.each(plain.filter((name) => !mayBy.stop.includes(name)))(
    '%s: whoever may not ask learns nothing of the input',
    async (name) => {
      for (const request of [goodRequest(name, 'user'), ...badRequests(name, 'user').map((bad) => bad.request)]) {
        const { headers, ...rest } = injection(name, request, '')
        const reply = await fixture.app.inject({ ...rest, headers: { ...headers, ...bearing(secrets.stop) } })
        expect(problemIn(reply)).toBe('FORBIDDEN')
      }
    },
  )
  test('the log of the account is on no page that a token reads, nor in a file', async () => {
    expect(problemIn(await get('/api/user/export/audit', secrets.stop))).toBe('FORBIDDEN')
    expect((await fixture.call('GET', '/api/user/export/audit', { cookie: owner.cookie })).statusCode).toBe(200)
  })
})

const statuses = async (headers: Record<string, string>) =>
  Promise.all(
    ['/metrics', '/api/docs/json'].map(async (url) => (await fixture.call('GET', url, { headers })).statusCode),
  )

describe('a token of an administrator', () => {
  let secret: string
  beforeAll(async () => {
    secret = await makeToken(fixture, admin, { scope: 'stop' })
  })
  test.each(plain.filter((name) => calls[name].access === 'admin'))('%s is refused', async (name) => {
    expect(problemIn(await ask(name, secret, owner.userId))).toBe('FORBIDDEN')
  })
  test('is for their own account', async () => {
    expect((await get('/api/user/balance', secret)).statusCode).toBe(200)
    expect(problemIn(await get(`/api/${owner.userId}/balance`, secret))).toBe('FORBIDDEN')
    const server = { level: 'server', stop: 'halt' }
    expect(problemIn(await post('/api/user/stop', secret, server))).toBe('FORBIDDEN')
    expect(fixture.accounts.serverStop()).toBe('active')
  })
  test('opens neither metrics nor the API document to anybody outside', async () => {
    const outside = { 'x-forwarded-for': '203.0.113.9' }
    expect(await statuses({ ...outside, cookie: admin.cookie })).toEqual([200, 200])
    const refused = await statuses(bearing(secret, { ...outside, cookie: admin.cookie }))
    expect(refused.every((status) => status >= 400)).toBe(true)
  })
})

const stopOf = () => fixture.accounts.book(owner.userId).stop
const by = (cookie: string, payload: object) => fixture.call('POST', '/api/user/stop', { cookie, payload })
const user = (stop: string) => ({ level: 'user', stop })
const stock = (stop: string) => ({ level: 'stock', code: '005930', stop })
const askStop = async (payload: object) => problemOrDone(await post('/api/user/stop', secrets.stop, payload))

describe('a stop by a token is stricter, or is refused', () => {
  beforeEach(() => by(owner.cookie, user('active')))

  test('each way is stricter; each way back is not', async () => {
    expect([await askStop(user('reduce')), stopOf()]).toEqual(['done', 'reduce'])
    expect([await askStop(user('active')), stopOf()]).toEqual(['FORBIDDEN', 'reduce'])
    expect([await askStop(user('halt')), stopOf()]).toEqual(['done', 'halt'])
    expect([await askStop(user('reduce')), stopOf()]).toEqual(['FORBIDDEN', 'halt'])
    expect([await askStop(stock('halt')), await askStop(stock('reduce')), await askStop(stock('active'))]).toEqual([
      'done',
      'FORBIDDEN',
      'FORBIDDEN',
    ])
    expect(fixture.accounts.book(owner.userId).stocks.get('005930')?.stop).toBe('halt')
    for (const broken of [{}, user('gone'), { level: 'stock', stop: 'halt', code: 'x' }])
      expect(await askStop(broken)).toBe('FORBIDDEN')
    expect((await by(owner.cookie, stock('active'))).statusCode).toBe(200)
  })
  test('it is asked over a stop that nobody saw, so that none is loosened that comes meanwhile', async () => {
    expect((await post('/api/user/stop', secrets.stop, user('halt'))).statusCode).toBe(200)
    expect(fixture.accounts.commands.at(-1)?.command).toMatchObject({ kind: 'setStop', stop: 'halt', seen: 0 })
    await by(owner.cookie, user('active'))
    expect(fixture.accounts.commands.at(-1)?.command).toMatchObject({ kind: 'setStop', seen: undefined })
  })
  test('everything is cancelled and halted by one call', async () => {
    const reply = await post('/api/user/stop/all', secrets.stop, { own: false })
    expect([reply.statusCode, reply.json<Reply<'stopAll'>>().message]).toEqual([200, expect.any(String)])
  })
})

describe('where a bearer header is, it alone counts', () => {
  test('a good cookie beside a bad token is not looked at', async () => {
    for (const header of ['Bearer nonsense', 'Bearer', 'bearer ', 'BEARER x', 'Bearer a b', 'Bearer,x']) {
      const headers = { authorization: header, cookie: owner.cookie }
      expect([header, problemIn(await fixture.call('GET', '/api/user/balance', { headers }))]).toEqual([
        header,
        'LOGIN_REQUIRED',
      ])
    }
  })
  test('a bad cookie beside a good token harms nothing, and another’s good one changes nothing', async () => {
    for (const cookie of ['digger_session=forged', other.cookie, admin.cookie]) {
      const reply = await get('/api/user/user', secrets.read, { cookie })
      expect(reply.json<Reply<'me'>>().userId).toBe(owner.userId)
    }
  })
  test('what proxies ask for is none', async () => {
    const headers = { authorization: 'Basic bWluamk6eA==', cookie: owner.cookie }
    expect((await fixture.call('GET', '/api/user/balance', { headers })).statusCode).toBe(200)
  })
  test('a session is no token, a token no session, and neither is read from the address', async () => {
    const [, session = ''] = /digger_session=([^;]+)/.exec(owner.cookie) ?? []
    expect(problemIn(await get('/api/user/balance', session))).toBe('LOGIN_REQUIRED')
    const cookie = `digger_session=${secrets.read}`
    expect(problemIn(await fixture.call('GET', '/api/user/balance', { cookie }))).toBe('LOGIN_REQUIRED')
    for (const name of ['token', 'access_token', 'bearer', 'authorization']) {
      const url = `/api/user/balance?${name}=${secrets.read}`
      expect(problemIn(await fixture.call('GET', url))).toBe('LOGIN_REQUIRED')
    }
    expect(fixture.log.join('\n')).not.toContain(secrets.read)
  })
  test('nobody logs in or out, or presses a stop link, with one', async () => {
    for (const name of ['login', 'logout', 'pressStopLink', 'signUp'] as const) {
      expect(problemIn(await ask(name, secrets.stop, 'user'))).toBe('FORBIDDEN')
      expect(problemIn(await ask(name, 'garbage', 'user'))).toBe('LOGIN_REQUIRED')
    }
  })
  test('a page of another site gets no leave to read, and may change nothing', async () => {
    const origin = { origin: 'https://evil.example' }
    const read = await get('/api/user/balance', secrets.read, origin)
    expect(Object.keys(read.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    const headers = bearing(secrets.stop, origin)
    const payload = { level: 'user', stop: 'halt' }
    expect(problemIn(await fixture.call('POST', '/api/user/stop', { headers, payload }))).toBe('FORBIDDEN')
    const asking = {
      ...origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    }
    const before = await fixture.call('OPTIONS', '/api/user/balance', { headers: asking })
    expect(Object.keys(before.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    // Also where another origin is allowed for development: it has no token to send.
    const known = await fixture.call('OPTIONS', '/api/user/balance', {
      headers: { ...asking, origin: 'http://localhost:5173' },
    })
    expect(known.headers['access-control-allow-headers']).not.toContain('authorization')
  })
})

test('a stream may be opened by either scope, of the own account', async () => {
  const base = await fixture.app.listen({ host: '127.0.0.1', port: 0 })
  for (const scope of SCOPES) {
    const reply = await fetch(`${base}/api/user/events`, { headers: bearing(secrets[scope]) })
    expect([scope, reply.status]).toEqual([scope, 200])
    await reply.body?.cancel()
  }
  expect(problemIn(await get(`/api/${other.userId}/events`, secrets.read))).toBe('FORBIDDEN')
})
