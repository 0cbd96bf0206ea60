import type { LightMyRequestResponse } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type Person, ServerFixture, cookieOf } from './server-fixture.ts'

const SOON = { timeout: 20_000 }

const MINUTE_MS = 60_000
const HERE = '203.0.113.7'
let fixture: ServerFixture
let owner: Person
let compared: ReturnType<typeof spy>

const spy = (one: ServerFixture) => vi.spyOn(one.passwords, 'compare')

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  compared = spy(fixture)
})
afterEach(() => fixture[Symbol.asyncDispose]())

interface From {
  readonly address?: string
  readonly cookie?: string
  readonly at?: ServerFixture
}

const logIn = (email: string, password: string, { address = HERE, cookie = '', at = fixture }: From = {}) =>
  at.call('POST', '/api/login', { payload: { email, password }, cookie, headers: { 'x-forwarded-for': address } })
const guess = (from: From = {}) => logIn(owner.email, '틀린 비밀번호', from)
const inRow = async (n: number, one: (i: number) => Promise<LightMyRequestResponse>) => {
  const codes: string[] = []
  for (let i = 0; i < n; i++) codes.push(problemIn(await one(i)))
  return codes
}
const atOnce = async (n: number, one: (i: number) => Promise<LightMyRequestResponse>) =>
  (await Promise.all(Array.from({ length: n }, (_, i) => one(i)))).map(problemIn)
const count = (codes: readonly string[], code: string) => codes.filter((one) => one === code).length
const v4 = (i: number) => `198.51.${Math.floor(i / 250)}.${(i % 250) + 1}`

describe('of one e-mail, at most five guesses reach the hash', () => {
  test.each([
    ['200 at once from one address', 200, () => HERE],
    ['400 at once from one address', 400, () => HERE],
    ['400 at once from 400 addresses', 400, v4],
    ['400 at once from one IPv6 /64', 400, (i: number) => `2001:db8:1:2::${i.toString(16)}`],
  ])('%s', async (_name, n, address) => {
    const codes = await atOnce(n, (i) => guess({ address: address(i) }))
    expect(compared.mock.calls.length).toBeLessThanOrEqual(5)
    expect(count(codes, 'LOGIN_REQUIRED')).toBe(compared.mock.calls.length)
    expect(count(codes, 'BUSY')).toBe(n - compared.mock.calls.length)
  })

  test('one after the other too, in whatever spelling', async () => {
    const spellings = [owner.email, owner.email.toUpperCase(), ` ${owner.email} `]
    const codes = await inRow(12, (i) => logIn(spellings[i % 3] ?? '', '틀림'))
    expect(codes).toEqual([...Array(5).fill('LOGIN_REQUIRED'), ...Array(7).fill('BUSY')])
  })

  test('with two servers on one database', async () => {
    const other = new ServerFixture(fixture.database)
    const comparedThere = spy(other)
    await atOnce(200, (i) => guess(i % 2 ? { at: other } : {}))
    expect(compared.mock.calls.length + comparedThere.mock.calls.length).toBeLessThanOrEqual(5)
    await other.app.close()
  })

  test('and a restart in the middle gives no more: each is counted before it is looked at', async () => {
    const hung = Promise.withResolvers<boolean>()
    compared.mockImplementation(() => hung.promise)
    const cut = [guess(), guess()]
    await vi.waitFor(() => expect(compared).toHaveBeenCalledTimes(2), SOON)
    const again = new ServerFixture(fixture.database)
    expect(await inRow(5, () => guess({ at: again }))).toEqual([
      ...Array(3).fill('LOGIN_REQUIRED'),
      ...Array(2).fill('BUSY'),
    ])
    hung.resolve(false)
    await Promise.all(cut)
    await again.app.close()
  })
})

describe('the right password', () => {
  test('between wrong ones enters, and costs no try', async () => {
    await inRow(4, () => guess())
    for (let n = 0; n < 3; n++) expect((await logIn(owner.email, PASSWORD)).statusCode).toBe(200)
    expect(await inRow(2, () => guess())).toEqual(['LOGIN_REQUIRED', 'BUSY'])
  })

  test('among wrong ones at once enters', async () => {
    const replies = await Promise.all([guess(), guess(), logIn(owner.email, PASSWORD), guess()])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([401, 401, 200, 401])
  })

  test('enters from a new device while strangers keep trying from where they were wrong before', async () => {
    await inRow(12, (i) => guess({ address: v4(i) }))
    // They come back as soon as anything is to be had, and take it.
    for (let minutes = 0; minutes < 180; minutes += 10) {
      fixture.clock.advance(10 * MINUTE_MS)
      await inRow(12, (i) => guess({ address: v4(i) }))
    }
    expect((await logIn(owner.email, PASSWORD, { address: '192.0.2.1' })).statusCode).toBe(200)
  })

  test('after the wait that the message named', async () => {
    await inRow(5, () => guess())
    const message = (await logIn(owner.email, PASSWORD)).json<{ message: string }>().message
    expect(message).toContain('15분')
    fixture.clock.advance(14 * MINUTE_MS)
    expect(problemIn(await logIn(owner.email, PASSWORD))).toBe('BUSY')
    fixture.clock.advance(MINUTE_MS + 1)
    expect((await logIn(owner.email, PASSWORD)).statusCode).toBe(200)
  })
})

describe('one address', () => {
  test.each([
    ['one IPv4 address', () => HERE, 20],
    ['one IPv6 /64', (i: number) => `2001:db8:1:2:${i.toString(16)}::1`, 20],
    ['an IPv4 address in IPv6 clothes', (i: number) => (i % 2 ? '::ffff:203.0.113.7' : HERE), 20],
    ['as many /64', (i: number) => `2001:db8:1:${i.toString(16)}::1`, 30],
  ])('%s: twenty guesses at many e-mails', async (_name, address, passed) => {
    const codes = await inRow(30, (i) => logIn(`nobody${i}@digger.test`, '추측', { address: address(i) }))
    expect(count(codes, 'LOGIN_REQUIRED')).toBe(passed)
  })

  test('at once as well', async () => {
    await atOnce(200, (i) => logIn(`nobody${i}@digger.test`, '추측'))
    expect(compared.mock.calls.length).toBeLessThanOrEqual(20)
  })

  test('a restart does not forget', async () => {
    await inRow(20, (i) => logIn(`nobody${i}@digger.test`, '추측'))
    const again = new ServerFixture(fixture.database)
    expect(problemIn(await logIn(owner.email, PASSWORD, { at: again }))).toBe('BUSY')
    await again.app.close()
  })

  test('of an office with 26 failures: known devices enter, others within half a minute', async () => {
    const known = cookieOf(await logIn(owner.email, PASSWORD))
    const mate = await fixture.addPerson('mate')
    await inRow(26, (i) => logIn(`nobody${i}@digger.test`, '추측'))
    expect((await logIn(owner.email, PASSWORD, { cookie: known })).statusCode).toBe(200)
    expect(problemIn(await logIn(mate.email, PASSWORD))).toBe('BUSY')
    fixture.clock.advance(MINUTE_MS / 2)
    expect((await logIn(mate.email, PASSWORD)).statusCode).toBe(200)
  })
})

// That many rows take a slow disk half a minute.
test(
  'a hundred thousand other subjects do not make it forget one, and go a thousand at a time',
  { timeout: 120_000 },
  async () => {
    await inRow(6, () => guess())
    await fixture.database.pool.query(
      `insert into login_budget select 'pair ' || n, $1 from generate_series(1, 110000) n`,
      [fixture.clock.now() + 1_000 * MINUTE_MS],
    )
    const again = new ServerFixture(fixture.database)
    const rows = async () =>
      Number((await fixture.database.pool.query('select count(*) n from login_budget')).rows[0].n)
    expect(await inRow(1, () => guess({ at: again, address: '192.0.2.9' }))).toEqual(['BUSY'])
    expect(await rows()).toBeGreaterThan(100_010)
    await inRow(10, (i) => logIn(`nobody${i}@digger.test`, '추측', { at: again, address: v4(i) }))
    expect(await rows()).toBeLessThan(100_030)
    expect(await inRow(1, () => guess({ at: again, address: '192.0.2.10' }))).toEqual(['BUSY'])
    await again.app.close()
  },
)

test('a clock that was set back a year locks nobody out for a year', async () => {
  await inRow(6, () => guess())
  fixture.clock.advance(-365 * 1_440 * MINUTE_MS)
  const codes = await inRow(3, () => {
    fixture.clock.advance(61 * MINUTE_MS)
    return logIn(owner.email, PASSWORD)
  })
  expect(codes.at(-1)).toMatch(/^200/)
})

test('an unknown e-mail and a wrong password read the same, and are counted alike', async () => {
  for (let n = 0; n < 7; n++) {
    const unknown = await logIn('nobody@digger.test', '추측', { address: v4(n) })
    const wrong = await logIn(owner.email, '추측', { address: v4(n) })
    expect([unknown.statusCode, unknown.body]).toEqual([wrong.statusCode, wrong.body])
  }
})

const change = (oldPassword: string, newPassword: string) =>
  fixture.call('PUT', '/api/user/user', { cookie: owner.cookie, payload: { oldPassword, newPassword } })

describe('somebody who is logged in', () => {
  test('can change the password while strangers guess it', async () => {
    await inRow(12, (i) => guess({ address: v4(i) }))
    expect((await change(PASSWORD, '새 비밀번호 5678')).statusCode).toBe(200)
  })

  test('may be wrong about it five times, at once or not', async () => {
    const codes = await atOnce(50, () => change('틀린 비밀번호', '새 비밀번호 5678'))
    expect(compared.mock.calls.length).toBeLessThanOrEqual(5)
    expect(count(codes, 'INVALID')).toBe(5)
    expect(count(codes, 'BUSY')).toBe(45)
  })

  test('an administrator guesses a user’s no more often, however often they log in', async () => {
    const admin = await fixture.addPerson('boss', true)
    const payload = { oldPassword: '틀린 비밀번호', newPassword: '새 비밀번호 5678' }
    const codes: string[] = []
    for (let n = 0; n < 4; n++) {
      const cookie = await fixture.logIn(admin.email)
      codes.push(...(await inRow(3, () => fixture.call('PUT', `/api/${owner.userId}/user`, { cookie, payload }))))
    }
    expect(count(codes, 'INVALID')).toBe(5)
  })

  test('an administrator’s password for a key is guessed five times at most', async () => {
    const admin = await fixture.addPerson('boss', true)
    compared.mockClear()
    const url = `/api/admin/8017/user/${owner.userId}/userKey`
    const payload = { email: admin.email, password: '틀린 비밀번호' }
    await atOnce(50, () => fixture.call('POST', url, { cookie: admin.cookie, payload }))
    expect(compared.mock.calls.length).toBe(5)
  })
})
