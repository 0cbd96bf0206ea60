import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Authenticator } from './authenticator.ts'
import { FactorStage, ORIGIN, RP_ID, waysIn } from './factor-stage.ts'
import { problemIn } from './request.ts'
import { cookieOf, PASSWORD } from './server-fixture.ts'

let stage: FactorStage

beforeEach(async () => {
  stage = await FactorStage.start()
})
afterEach(() => stage.close())

describe('a passkey', () => {
  test('logs its person in without a password, and is the second factor beside one', async () => {
    const passkey = await stage.addPasskey()
    const entered = await stage.enter(passkey)
    expect(entered.json()).toMatchObject({ userId: stage.owner.userId, email: stage.owner.email })
    expect((await stage.fixture.call('GET', '/api/user/user', { cookie: cookieOf(entered) })).statusCode).toBe(200)
    const asked = await stage.logIn()
    const { passkey: options } = waysIn(asked)
    expect(options).toMatchObject({ rpId: RP_ID, userVerification: 'required', allowCredentials: [{ id: passkey.id }] })
    expect((await stage.logIn({ passkey: passkey.use(options ?? { challenge: '' }) })).statusCode).toBe(200)
  })

  test.each([
    ['another origin', { origin: 'https://digger.example.com.evil.example' }],
    ['the origin without TLS', { origin: 'http://digger.example.com' }],
    ['another port', { origin: 'https://digger.example.com:8443' }],
    ['another rpId', { rpId: 'example.com' }],
    ['a person who was not asked', { verified: false }],
    ['the answer of a registration', { type: 'webauthn.create' }],
    ['another person’s handle', { userHandle: 'abcdefghijklmnop' }],
    ['no handle', { userHandle: null }],
  ])('is refused with %s', async (_what, lie) => {
    const passkey = await stage.addPasskey()
    expect(problemIn(await stage.enter(passkey, lie))).toBe('LOGIN_REQUIRED')
    expect((await stage.enter(passkey)).statusCode).toBe(200)
  })

  test('is bound to what the configuration says, whatever Host the request names', async () => {
    const host = { host: 'localhost' }
    expect(await stage.options(host)).toMatchObject({ rpId: RP_ID })
    const passkey = await stage.addPasskey()
    expect(problemIn(await stage.enter(passkey, { origin: 'http://localhost', rpId: 'localhost' }))).toBe(
      'LOGIN_REQUIRED',
    )
  })

  test('an answer is good once, for its own challenge, for five minutes, and for what it was asked for', async () => {
    const passkey = await stage.addPasskey()
    const options = await stage.options()
    const answer = passkey.use(options)
    expect((await stage.send(answer)).statusCode).toBe(200)
    expect(problemIn(await stage.send(answer))).toBe('LOGIN_REQUIRED')
    expect(problemIn(await stage.send(passkey.use({ challenge: Buffer.alloc(54).toString('base64url') })))).toBe(
      'LOGIN_REQUIRED',
    )
    const forSecond = waysIn(await stage.logIn()).passkey ?? { challenge: '' }
    expect(problemIn(await stage.send(passkey.use(forSecond)))).toBe('LOGIN_REQUIRED')
    const late = await stage.options()
    stage.fixture.clock.advance(5 * 60_000)
    expect(problemIn(await stage.send(passkey.use(late)))).toBe('LOGIN_REQUIRED')
  })

  test('five answers of one challenge at once: one enters', async () => {
    const passkey = await stage.addPasskey()
    passkey.counter = 0
    await stage.fixture.database.pool.query('update passkey set counter = 0')
    const options = await stage.options()
    const answers = Array.from({ length: 5 }, () => passkey.use(options))
    const replies = await Promise.all(answers.map((answer) => stage.send(answer)))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test('a copy of it is noticed by its counter, refused and told', async () => {
    const passkey = await stage.addPasskey()
    expect((await stage.enter(passkey)).statusCode).toBe(200)
    const copied = await stage.enter(passkey, { counter: 1 })
    expect(problemIn(copied)).toBe('LOGIN_REQUIRED')
    expect(copied.body).toContain('복제')
    const [first] = await stage.audit(stage.owner.cookie)
    expect(first).toMatchObject({ action: '로그인 실패', detail: expect.stringContaining('복제') })
    const { rows } = await stage.fixture.database.pool.query('select text from notification order by id desc limit 1')
    expect(JSON.stringify(rows)).toContain('복제')
    expect((await stage.enter(passkey)).statusCode).toBe(200)
  })

  test('a copy of it is refused and written down also where nobody can be told', async () => {
    const passkey = await stage.addPasskey()
    await stage.enter(passkey)
    const { notifications } = stage.fixture.services
    if (notifications === undefined) throw new Error('there are none')
    notifications.accessChanged = () => Promise.reject(new Error('away'))
    expect(problemIn(await stage.enter(passkey, { counter: 1 }))).toBe('LOGIN_REQUIRED')
    const [first] = await stage.audit(stage.owner.cookie)
    expect(first).toMatchObject({ action: '로그인 실패' })
  })

  test('with what it derives it opens the key after a restart; without it nothing does but the password', async () => {
    const prf = Buffer.alloc(32, 7).toString('base64url')
    const passkey = await stage.addPasskey(prf)
    stage.fixture.vault.forget(stage.owner.userId)
    const without = await stage.enter(passkey)
    expect([without.statusCode, stage.fixture.vault.has(stage.owner.userId)]).toEqual([200, false])
    expect(without.body).toContain('비밀번호로 한 번')
    const wrong = await stage.enter(passkey, {}, { prf: Buffer.alloc(32, 8).toString('base64url') })
    expect([wrong.statusCode, stage.fixture.vault.has(stage.owner.userId)]).toEqual([200, false])
    await stage.enter(passkey, {}, { prf })
    expect(stage.fixture.vault.has(stage.owner.userId)).toBe(true)
    expect(await stage.fixture.vault.credentials(stage.owner.userId)).toMatchObject({ htsId: 'hts-owner' })
  })

  test('wraps the new key the next time it is shown while that is open, and an old copy of it opens nothing', async () => {
    const prf = Buffer.alloc(32, 7).toString('base64url')
    const passkey = await stage.addPasskey(prf)
    const body = { oldPassword: PASSWORD, newPassword: '다른참깨5678!' }
    const changed = await stage.fixture.call('PUT', '/api/user/user', { cookie: stage.owner.cookie, payload: body })
    expect(changed.statusCode).toBe(200)
    stage.fixture.vault.forget(stage.owner.userId)
    await stage.enter(passkey, {}, { prf })
    expect(stage.fixture.vault.has(stage.owner.userId)).toBe(false)
    const asked = await stage.fixture.call('POST', '/api/login', {
      payload: { email: stage.owner.email, password: body.newPassword },
    })
    const proof = { passkey: passkey.use(waysIn(asked).passkey ?? { challenge: '' }), prf }
    const payload = { email: stage.owner.email, password: body.newPassword, proof }
    expect((await stage.fixture.call('POST', '/api/login', { payload })).statusCode).toBe(200)
    stage.fixture.vault.forget(stage.owner.userId)
    await stage.enter(passkey, {}, { prf })
    expect(stage.fixture.vault.has(stage.owner.userId)).toBe(true)
  })

  test('opens no key that is to be replaced because another one was removed, until the password did', async () => {
    const prf = Buffer.alloc(32, 7).toString('base64url')
    const passkey = await stage.addPasskey(prf)
    await stage.query('update vault set rotation_due = true')
    stage.fixture.vault.forget(stage.owner.userId)
    const asked = await stage.enter(passkey, {}, { prf })
    expect([asked.body.includes('비밀번호로 한 번'), stage.fixture.vault.has(stage.owner.userId)]).toEqual([
      true,
      false,
    ])
  })

  test('a registration is for its own person, once, of this site, and one passkey belongs to one', async () => {
    const mate = await stage.fixture.addPerson('mate')
    const passkey = new Authenticator(ORIGIN, RP_ID)
    const options = await stage.registration()
    const add = (cookie: string, answer: object) =>
      stage.post('/api/user/factor/passkey', { name: 'x', passkey: answer }, cookie)
    const good = passkey.register(stage.owner.userId, options)
    expect(problemIn(await add(mate.cookie, good))).toBe('INVALID')
    for (const lie of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { verified: false }])
      expect(problemIn(await add(stage.owner.cookie, passkey.register(stage.owner.userId, options, lie)))).toBe(
        'INVALID',
      )
    expect((await add(stage.owner.cookie, good)).statusCode).toBe(200)
    expect(problemIn(await add(stage.owner.cookie, good))).toBe('INVALID')
    const others = await stage.registration(mate.cookie)
    expect(problemIn(await add(mate.cookie, passkey.register(mate.userId, others)))).toBe('INVALID')
  })
})
