import { type CallName, calls, ErrorCode, FILE_CALLS, isFile, LimitName, paths } from '@digger/contract'
import { LIMIT_NAMES } from '@digger/core'
import { aboutField } from '@digger/screens'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routePath } from '../src/http/route.ts'
import { badRequests, goodRequest, hasUser, injection, names, problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type Person, type ServerFixture } from './server-fixture.ts'

const comparing = () => expect.hasAssertions()
beforeEach(comparing)

// Every call of the contract, asked by everyone, rightly and wrongly. The stream answers for ever: it has its own test.
const plain = names.filter((name) => name !== 'events')
const readable = plain.filter((name) => !isFile(name))

let fixture: ServerFixture
let owner: Person
let other: Person
let admin: Person

beforeAll(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  other = await fixture.addPerson('mate')
  admin = await fixture.addPerson('boss', true)
  await giveStockRow()
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** Some calls end a session, remove a stock or a key. */
async function makeWhole(): Promise<void> {
  fixture.giveStock(owner.userId)
  fixture.freezeStock(owner.userId)
  await fixture.services.calendar.correct('20270104', 'closed', admin.email)
  await giveJob()
  await giveWorkers()
  await giveChannel()
  await giveToken()
  for (const person of [owner, other, admin]) {
    if ((await who(person.cookie)) === null) Object.assign(person, { cookie: await fixture.logIn(person.email) })
    if (!fixture.accounts.unlocked(person.userId)) await fixture.vault.openByPassword(person.userId, PASSWORD)
  }
}

/** Of histories, which are read from the tables alone. */
async function giveStockRow(): Promise<void> {
  const { db } = fixture.database
  await sql`
    insert into account (user_id, day, stop, next_order_id, next_lot_id, seq)
    values (${owner.userId}, '20261120', 'active', 1, 1, 0) on conflict do nothing`.execute(db)
  await sql`
    insert into stock (user_id, code, name, market, kind, nxt, settings, stop, price_subscribed, acc_gain_amount, rejects, version, updated_at, kept)
    values (${owner.userId}, '005930', '삼성전자', 'KOSPI', 'stock', true, '{}'::jsonb, 'active', true, 0, 0, 1, 0, 0)`.execute(
    db,
  )
}

/** Job 900001: over, and it was not done for the owner. */
async function giveJob(): Promise<void> {
  const { db } = fixture.database
  await db.deleteFrom('job').execute()
  const at = fixture.clock.now()
  await sql`
    insert into job (id, kind, lane, by_user, by_email, at, begin_by, finished_at) overriding system value
    values (900001, 'sell', 'bulk', ${admin.userId}, ${admin.email}, ${at}, ${at}, ${at})`.execute(db)
  await sql`
    insert into job_item (job_id, user_id, lane, shard, position, state, result, finished_at)
    values (900001, ${owner.userId}, 'bulk', 0, 1, 'failed', '거절했습니다.', ${at})`.execute(db)
}

/** Two workers are there, of which one can be spared. */
async function giveWorkers(): Promise<void> {
  const { db } = fixture.database
  await db.deleteFrom('worker').execute()
  const process = { version: '0.1.0', host: 'a', pid: 1, pid_namespace: '', boot_id: '', started: '', tcp_retries: 8 }
  const until = new Date(Date.now() + 3_600_000)
  const workers = ['spare001', 'other001'].map((id, lock) => ({ id, lock, until, ...process }))
  await db.insertInto('worker').values(workers).execute()
}

/** Channel 900001 of the owner. */
async function giveChannel(): Promise<void> {
  const { db } = fixture.database
  await db.deleteFrom('notification_channel').execute()
  await sql`
    insert into notification_channel (id, user_id, kind, label, sealed, mark, amounts, created_at) overriding system value
    values (900001, ${owner.userId}, 'email', 'owner@digger.test', '', '', true, 0)`.execute(db)
}

/** API token 900001 of the owner. */
async function giveToken(): Promise<void> {
  const { db } = fixture.database
  await db.deleteFrom('api_token').execute()
  await sql`
    insert into api_token (id, user_id, name, scope, token_hash, created_at, expires_at) overriding system value
    values (900001, ${owner.userId}, 'script', 'read', '\\x00', 0, ${fixture.clock.now() + 1e9})`.execute(db)
}

async function who(cookie: string): Promise<string | null> {
  const reply = await fixture.call('GET', '/api/user/user', { cookie })
  return reply.statusCode === 200 ? reply.json<{ userId: string }>().userId : null
}

const ask = (name: CallName, userId: string, cookie: string) =>
  fixture.app.inject(injection(name, goodRequest(name, userId), cookie))

describe('without a session', () => {
  beforeAll(makeWhole)

  test.each(names.filter((name) => calls[name].access !== 'anyone'))('%s: LOGIN_REQUIRED', async (name) => {
    expect(problemIn(await ask(name, owner.userId, ''))).toBe('LOGIN_REQUIRED')
    expect(problemIn(await ask(name, owner.userId, 'digger_session=forged'))).toBe('LOGIN_REQUIRED')
  })
})

describe('another user', () => {
  beforeAll(makeWhole)

  test.each(names.filter(hasUser))('%s: FORBIDDEN, whether or not the user exists', async (name) => {
    const real = await ask(name, owner.userId, other.cookie)
    const invented = await ask(name, 'zzzzzzzzzzzzzzzz', other.cookie)
    expect(problemIn(real)).toBe('FORBIDDEN')
    expect(invented.body).toBe(real.body)
  })
})

/** Asked once a minute of each account, and tried in a test of its own (`connection-check.test.ts`). */
const ONCE_A_MINUTE: ReadonlySet<string> = new Set(['startConnectionCheck'])
const NOT_TWICE: ReadonlySet<string> = new Set(['deleteStock', 'changePassword', ...ONCE_A_MINUTE])
/** Answered with what an app or a passkey says of a question just asked: in `second-factor.test.ts`. */
const BY_FACTOR: ReadonlySet<string> = new Set(['addPasskey', 'confirmTotp', 'makeCodes'])

describe('the owner', () => {
  beforeEach(makeWhole)

  test.each(readable.filter((name) => calls[name].access === 'owner' && !BY_FACTOR.has(name)))(
    '%s: done',
    async (name) => {
      const byWord = await ask(name, 'user', owner.cookie)
      expect(byWord.json() ?? {}).not.toHaveProperty('code', expect.toBeOneOf(ErrorCode.options))
      expect(byWord.statusCode).toBe(200)
    },
  )
  test.each(plain.filter((name) => calls[name].access === 'owner' && !NOT_TWICE.has(name) && !BY_FACTOR.has(name)))(
    '%s: the same by their own id',
    async (name) => expect((await ask(name, owner.userId, owner.cookie)).statusCode).toBe(200),
  )
  test.each(plain.filter((name) => calls[name].access === 'admin'))('%s: FORBIDDEN', async (name) => {
    expect(problemIn(await ask(name, owner.userId, owner.cookie))).toBe('FORBIDDEN')
  })
})

/** The secrets, with whose keys an account trades, and how somebody logs in, are its own person's matter. */
const OF_ONE_PERSON: ReadonlySet<string> = new Set([
  'makeStopLink',
  'makeApiToken',
  'changeCredentials',
  'proofWays',
  'stepUp',
  'beginPasskey',
  'removePasskey',
  'beginTotp',
  'removeTotp',
])

describe('an administrator', () => {
  beforeEach(makeWhole)

  test.each(
    readable.filter((name) => calls[name].access !== 'anyone' && !ONCE_A_MINUTE.has(name) && !BY_FACTOR.has(name)),
  )('%s: done, and its reply fits', async (name) => {
    const reply = await ask(name, OF_ONE_PERSON.has(name) ? admin.userId : owner.userId, admin.cookie)
    expect([name, reply.statusCode, reply.body]).toEqual([name, 200, expect.any(String)])
    expect(calls[name].reply.safeParse(reply.json()).error?.issues).toBeUndefined()
  })
  test.each(FILE_CALLS)('%s: a file to be saved', async (name) => {
    const { statusCode, headers } = await ask(name, owner.userId, admin.cookie)
    expect([statusCode, headers['content-disposition'], headers['cache-control']]).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="digger-[\w.-]+"; filename\*=UTF-8''[\w%.-]+$/),
      'no-store',
    ])
  })
  test.each(names.filter(hasUser))('%s of nobody: NOT_FOUND', async (name) => {
    expect(problemIn(await ask(name, 'zzzzzzzzzzzzzzzz', admin.cookie))).toBe('NOT_FOUND')
  })
})

describe('bad input', () => {
  beforeAll(makeWhole)

  const withInput = plain.filter((name) => badRequests(name, 'user').length > 0)
  test.each(withInput)('%s: every bad field is INVALID and named', async (name) => {
    for (const { title, field, request } of badRequests(name, 'user')) {
      const reply = await fixture.app.inject(injection(name, request, admin.cookie))
      expect([title, reply.statusCode, reply.json()]).toEqual([
        title,
        400,
        { code: 'INVALID', message: expect.stringContaining(aboutField(field.split('.'), '').slice(0, -2)) },
      ])
    }
  })

  const guarded = withInput.filter((name) => calls[name].access !== 'anyone')
  test.each(guarded)(
    '%s: whoever may not ask learns nothing about the input; the owner learns what is wrong',
    async (name) => {
      const codes = { none: new Set<string>(), other: new Set<string>(), owner: new Set<string>() }
      for (const { request } of badRequests(name, owner.userId)) {
        const ask = async (cookie: string) => problemIn(await fixture.app.inject(injection(name, request, cookie)))
        codes.none.add(await ask(''))
        codes.other.add(await ask(other.cookie))
        codes.owner.add(await ask(owner.cookie))
      }
      const owners = calls[name].access === 'owner' ? 'INVALID' : 'FORBIDDEN'
      expect(codes).toEqual({
        none: new Set(['LOGIN_REQUIRED']),
        other: new Set(['FORBIDDEN']),
        owner: new Set([owners]),
      })
    },
  )

  const withBody = plain.filter((name) => 'body' in calls[name] && name !== 'cancelOrder')
  test.each(withBody)('%s: no body, another shape, or unreadable', async (name) => {
    const request = goodRequest(name, 'user')
    for (const payload of [undefined, '', '{', 'null', '[]', '"text"', '1', '{"a":'.repeat(50)]) {
      const { payload: _good, ...rest } = injection(name, request, admin.cookie)
      const headers = { ...rest.headers, 'content-type': 'application/json' }
      const reply = await fixture.app.inject({ ...rest, headers, ...(payload === undefined ? {} : { payload }) })
      expect(problemIn(reply)).toBe('INVALID')
    }
  })

  test('a body beyond the limit, and one that is not JSON', async () => {
    const big = {
      payload: JSON.stringify({ email: 'a'.repeat(100_000) }),
      headers: { 'content-type': 'application/json' },
    }
    expect(problemIn(await fixture.call('POST', '/api/login', big))).toBe('INVALID')
    const xml = { payload: '<a/>', headers: { 'content-type': 'text/xml' } }
    expect(problemIn(await fixture.call('POST', '/api/login', xml))).toBe('INVALID')
  })

  // The chart of a stock nobody added may be looked at: it is the broker's to know it.
  const aboutStock = plain.filter((name) => paths[name][1].includes('{code}') && name !== 'candles')
  test.each(aboutStock)('%s: an unknown stock is NOT_FOUND', async (name) => {
    const request = goodRequest(name, owner.userId)
    const unknown = { ...request, params: { ...request.params, code: '999999' } }
    const reply = await fixture.app.inject(injection(name, unknown, admin.cookie))
    expect(problemIn(reply)).toBe('NOT_FOUND')
    expect(reply.json<{ message: string }>().message).toContain('999999')
  })
})

describe('an absent key', () => {
  beforeEach(makeWhole)

  test.each(plain.filter((name) => 'needsKey' in calls[name]))('%s: NEED_USERKEY', async (name) => {
    await fixture.vault.remove(owner.userId)
    await fixture.accounts.lock(owner.userId)
    expect(problemIn(await ask(name, owner.userId, admin.cookie))).toBe('NEED_USERKEY')
  })
})

test('the contract and the routes are the same list', () => {
  const served = routesOf(fixture.app.printRoutes({ commonPrefix: false, includeHooks: false }))
  const ours = served.filter((route) => !/^(GET|HEAD) \/(api\/docs|health$|metrics$|\*$|$)/.test(route))
  expect(ours.toSorted()).toEqual(names.map((name) => `${paths[name][0]} ${routePath(name)}`).toSorted())
})

test('the contract and the account have the same limits, in the same order', () =>
  expect(LimitName.options).toEqual(LIMIT_NAMES))

/** Fastify draws its routes as a tree; each line's depth is in its indentation. */
function routesOf(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods] = /^([│ ]*)[├└]── (\S+?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    if (part === '') return []
    const depth = indent.length / 4
    above.splice(depth, above.length, part)
    return methods?.split(', ').map((method) => `${method} ${above.join('')}`) ?? []
  })
}

test.each([
  ['GET', '/api'],
  ['GET', '/api/nothing'],
  ['POST', '/api/user/nothing'],
  ['PATCH', '/api/user/stock'],
  ['GET', '/api/admin/9999/user'],
] as const)('%s %s: NOT_FOUND as JSON', async (verb, url) => {
  expect(problemIn(await fixture.call(verb, url, { cookie: admin.cookie }))).toBe('NOT_FOUND')
})
