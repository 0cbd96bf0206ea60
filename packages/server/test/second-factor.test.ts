import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FactorStage, STEP_MS, waysIn } from './factor-stage.ts'
import { problemIn } from './request.ts'
import { cookieOf, PASSWORD } from './server-fixture.ts'

let stage: FactorStage

beforeEach(async () => {
  stage = await FactorStage.start()
})
afterEach(() => stage.close())

const guess = (n: number) =>
  stage.logIn({ totp: String(n).padStart(6, '0') }, { headers: { 'x-forwarded-for': `198.51.${n}.7` } })

describe('an app with codes', () => {
  test('is asked for after the right password alone; what is shown opens, and is good once', async () => {
    const { code } = await stage.addApp()
    const asked = await stage.logIn()
    expect([problemIn(asked), asked.cookies]).toEqual(['SECOND_FACTOR', []])
    expect(waysIn(asked)).toEqual({ password: false, totp: true, codes: 10, passkey: null })
    const wrong = await stage.fixture.call('POST', '/api/login', {
      payload: { email: stage.owner.email, password: '틀린 것' },
    })
    expect(problemIn(wrong)).toBe('LOGIN_REQUIRED')
    const entered = await stage.logIn({ totp: code() })
    expect(entered.statusCode).toBe(200)
    expect(problemIn(await stage.logIn({ totp: code() }))).toBe('SECOND_FACTOR')
    expect((await stage.audit(cookieOf(entered))).slice(0, 2)).toMatchObject([
      { action: '두 번째 인증 실패', detail: expect.stringContaining('맞지 않음') },
      { action: '로그인', detail: expect.stringContaining('인증 앱') },
    ])
  })

  test.each([
    [-2, 'SECOND_FACTOR'],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 'SECOND_FACTOR'],
  ])('of a clock that is off by %i periods: %s', async (steps, expected) => {
    const { code } = await stage.addApp()
    stage.fixture.clock.advance(4 * STEP_MS)
    const reply = await stage.logIn({ totp: code(steps) })
    expect(reply.statusCode === 200 ? 200 : problemIn(reply)).toBe(expected)
  })

  test('takes no older code once a newer one was shown', async () => {
    const { code } = await stage.addApp()
    stage.fixture.clock.advance(4 * STEP_MS)
    expect((await stage.logIn({ totp: code(1) })).statusCode).toBe(200)
    expect(problemIn(await stage.logIn({ totp: code(0) }))).toBe('SECOND_FACTOR')
  })

  test('the same code sent five times at once opens once', async () => {
    const { code } = await stage.addApp()
    const totp = code()
    const device = await stage.logIn({ totp })
    stage.fixture.clock.advance(STEP_MS)
    const next = code()
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => stage.logIn({ totp: next }, { cookie: cookieOf(device) })),
    )
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test('guesses end after five at once, of strangers together; the owner’s own device goes on', async () => {
    const { code } = await stage.addApp()
    const device = cookieOf(await stage.logIn({ totp: code() }))
    stage.fixture.clock.advance(STEP_MS)
    const codes: string[] = []
    for (let n = 1; n <= 8; n++) codes.push(problemIn(await guess(n)))
    expect(codes).toEqual([...Array(5).fill('SECOND_FACTOR'), ...Array(3).fill('BUSY')])
    expect((await stage.logIn({ totp: code() }, { cookie: device })).statusCode).toBe(200)
  })

  test('two hundred guesses at once: five are looked at', async () => {
    await stage.addApp()
    const replies = await Promise.all(Array.from({ length: 200 }, (_, n) => guess(n)))
    const { rows } = await stage.fixture.database.pool.query(`select 1 from audit where action = '두 번째 인증 실패'`)
    expect(rows).toHaveLength(5)
    expect(replies.every((reply) => ['SECOND_FACTOR', 'BUSY'].includes(problemIn(reply)))).toBe(true)
  })

  test('counts only once a first code has shown that the app has it; a second one needs the first gone', async () => {
    await stage.post('/api/user/factor/totp/secret', {})
    expect((await stage.logIn()).statusCode).toBe(200)
    expect(problemIn(await stage.post('/api/user/factor/totp', { totp: '000000' }))).toBe('INVALID')
    await stage.addApp()
    expect(problemIn(await stage.post('/api/user/factor/totp/secret', {}))).toBe('CONFLICT')
    expect(
      (await stage.fixture.call('DELETE', '/api/user/factor/totp', { cookie: stage.owner.cookie })).statusCode,
    ).toBe(200)
    expect((await stage.logIn()).statusCode).toBe(200)
  })

  test('its secret is in the database sealed alone, and a row that was changed opens nothing', async () => {
    const { code } = await stage.addApp()
    const { rows } = await stage.fixture.database.pool.query<{ sealed: Buffer }>('select sealed from totp')
    expect(rows[0]?.sealed.length).toBe(12 + 16 + 20)
    await stage.fixture.database.pool.query(`update totp set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)`)
    expect(problemIn(await stage.logIn({ totp: code() }))).toBe('SECOND_FACTOR')
  })
})

describe('recovery codes', () => {
  test('open once each, however they are typed; new ones end the old', async () => {
    const { codes } = await stage.addApp()
    expect(codes).toHaveLength(10)
    const [first = '', second = '', third = ''] = codes
    expect(first).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/)
    expect((await stage.logIn({ code: ` ${first.toUpperCase().replaceAll('-', ' ')} ` })).statusCode).toBe(200)
    expect(problemIn(await stage.logIn({ code: first }))).toBe('SECOND_FACTOR')
    expect(waysIn(await stage.logIn()).codes).toBe(9)
    const again = await stage.post('/api/user/factor/code', {})
    expect(again.statusCode).toBe(200)
    expect(problemIn(await stage.logIn({ code: second }))).toBe('SECOND_FACTOR')
    expect(JSON.stringify((await stage.fixture.database.pool.query('select * from recovery_code')).rows)).not.toContain(
      third,
    )
  })

  test('of somebody without a second factor open nothing: there is none to be asked for', async () => {
    expect(problemIn(await stage.post('/api/user/factor/code', {}))).toBe('CONFLICT')
  })
})

test('nobody changes how another logs in; an administrator can only take it all away, and its person is told', async () => {
  await stage.addPasskey()
  const { cookie } = await stage.fixture.addPerson('admin', true)
  const of = (path: string) => `/api/${stage.owner.userId}${path}`
  expect((await stage.fixture.call('GET', of('/factor'), { cookie })).statusCode).toBe(200)
  for (const [method, path, payload] of [
    ['GET', '/step-up'],
    ['POST', '/step-up', { password: PASSWORD }],
    ['POST', '/factor/passkey/options', {}],
    ['POST', '/factor/totp/secret', {}],
    ['POST', '/factor/code', {}],
    ['DELETE', '/factor/totp'],
  ] as const)
    expect(problemIn(await stage.fixture.call(method, of(path), { cookie, ...(payload ? { payload } : {}) }))).toBe(
      'FORBIDDEN',
    )
  const reset = () => stage.fixture.call('DELETE', `/api/admin/8017/user/${stage.owner.userId}/factor`, { cookie })
  expect((await reset()).statusCode).toBe(200)
  expect((await reset()).statusCode).toBe(200)
  expect((await stage.fixture.call('GET', '/api/user/user', { cookie: stage.owner.cookie })).statusCode).toBe(401)
  const { rows } = await stage.fixture.database.pool.query('select text from notification order by id desc limit 1')
  expect((await stage.logIn()).statusCode).toBe(200)
  expect(JSON.stringify(rows)).toContain('관리자가 두 번째 인증을 모두 없앴습니다')
})
