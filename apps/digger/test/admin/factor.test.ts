import { cookieOf, PASSWORD, problemIn } from '@digger/server/testing'
import { startFixture } from '@digger/server/testing/vitest'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { run } from './run.ts'

test('who has lost phone and codes logs in by the password alone again; every session ends, and it is written down', async () => {
  await using fixture = await startFixture()
  const { email, cookie } = await fixture.addPerson('owner')
  const post = (url: string, payload: object) => fixture.call('POST', url, { cookie, payload })
  const logIn = () => fixture.call('POST', '/api/login', { payload: { email, password: PASSWORD } })
  expect(await run(fixture, ['reset-factor', email])).toContain('두 번째 인증이 없습니다')
  const { secret } = (await post('/api/user/factor/totp/secret', {})).json<{ secret: string }>()
  const totp = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: fixture.clock.now() })
  expect((await post('/api/user/factor/totp', { totp })).statusCode).toBe(200)
  expect(problemIn(await logIn())).toBe('SECOND_FACTOR')
  expect(await run(fixture, ['reset-factor', ` ${email.toUpperCase()}`])).toContain('모두 없앴습니다')
  fixture.clock.advance(20_000)
  expect(problemIn(await fixture.call('GET', '/api/user/user', { cookie }))).toBe('LOGIN_REQUIRED')
  const entered = await logIn()
  expect(entered.statusCode).toBe(200)
  const log = await fixture.call('GET', '/api/user/audit', { cookie: cookieOf(entered) })
  expect(log.body).toContain('두 번째 인증 없앰')
})

test('a new password of the operator leaves the factor: alone it opens nothing', async () => {
  await using fixture = await startFixture()
  const { email, cookie } = await fixture.addPerson('owner')
  const post = (url: string, payload: object) => fixture.call('POST', url, { cookie, payload })
  const { secret } = (await post('/api/user/factor/totp/secret', {})).json<{ secret: string }>()
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: fixture.clock.now() })
  expect((await post('/api/user/factor/totp', { totp: code() })).statusCode).toBe(200)
  const [, password = ''] = /: (\S+)\n/.exec(await run(fixture, ['reset-password', email])) ?? []
  const logIn = (proof?: object) => fixture.call('POST', '/api/login', { payload: { email, password, ...proof } })
  expect(problemIn(await logIn())).toBe('SECOND_FACTOR')
  fixture.clock.advance(60_000)
  expect((await logIn({ proof: { totp: code() } })).statusCode).toBe(200)
})

test('nobody of that name is said', async () => {
  await using fixture = await startFixture()
  await expect(run(fixture, ['reset-factor', 'nobody@digger.test'])).rejects.toThrow('그런 이메일의 사용자가 없습니다')
})
