import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LightMyRequestResponse } from 'fastify'
import { RefusedError } from '@digger/kis'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type Person, type ServerFixture, credentialsOf } from './server-fixture.ts'

let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
})
afterEach(() => fixture[Symbol.asyncDispose]())

const from = (address: string) => ({ 'x-forwarded-for': address })
const logIn = (email: string, password: string, cookie = '', headers: Record<string, string> = {}) =>
  fixture.call('POST', '/api/login', { payload: { email, password }, cookie, headers })
const change = (cookie: string, oldPassword: string, newPassword: string) =>
  fixture.call('PUT', '/api/user/user', { cookie, payload: { oldPassword, newPassword } })
const signUp = (email: string, password = PASSWORD, address = '203.0.113.7') => {
  const payload = { email, password, ...credentialsOf('minji') }
  return fixture.call('POST', '/api/user/user', { payload, headers: from(address) })
}
const messageOf = (reply: LightMyRequestResponse) => reply.json<{ message: string }>().message
const MINJI = 'minji.kim@digger.test'

describe('a new password', () => {
  test.each([
    ['password', /널리 알려진/],
    ['PassWord', /널리 알려진/],
    ['12345678', /널리 알려진/],
    ['iloveyou', /널리 알려진/],
    ['qwertyuiop', /널리 알려진/],
    ['minji.kim@digger.test', /이메일/],
    ['minji.kim', /이메일/],
    ['Minji.Kim2026!', /이메일/],
    ['digger1234', /서비스 이름/],
    ['DIGGER!!', /서비스 이름/],
    ['ｄｉｇｇｅｒ１２', /서비스 이름/],
    ['diggerdigger', /서비스 이름/],
    ['디거디거1234', /서비스 이름/],
    ['KIS-2026-11!', /서비스 이름/],
    ['한국투자12345', /서비스 이름/],
    ['stock20261128', /서비스 이름/],
    ['1234567', /8자/],
  ])('%s is refused at sign-up', async (password, words) => {
    const reply = await signUp(MINJI, password)
    expect(problemIn(reply)).toBe('INVALID')
    expect(messageOf(reply)).toMatch(words)
  })

  test.each([
    'digger-minji',
    'digger-admin',
    '열려라참깨1234',
    'minji likes 12 apples',
    'kissing stockings',
    'correct horse battery staple',
  ])('%s passes', async (password) => expect((await signUp(MINJI, password)).statusCode).toBe(200))

  test('is judged when it is changed, after the old one; one in use opens as before', async () => {
    expect(messageOf(await change(owner.cookie, PASSWORD, 'password1'))).toMatch(/^새 비밀번호: 널리 알려진/)
    expect(messageOf(await change(owner.cookie, '틀린 것', 'password1'))).toMatch(/^지금 비밀번호가/)
    const hash = await fixture.passwords.hash('password')
    await fixture.database.pool.query(`update users set password_hash = $1`, [hash])
    await fixture.database.pool.query(`update vault set by_password = null, password_salt = null`)
    expect((await logIn(owner.email, 'password')).statusCode).toBe(200)
  })
})

describe('sign-up', () => {
  test('does not reveal whether an e-mail exists before the broker agreed', async () => {
    fixture.brokerError = new RefusedError('유효하지 않은 AppKey입니다.')
    const [taken, free] = [await signUp(owner.email), await signUp('nobody@digger.test')]
    expect([taken.statusCode, taken.body]).toEqual([free.statusCode, free.body])
    fixture.brokerError = null
    expect(problemIn(await signUp(owner.email))).toBe('CONFLICT')
  })

  test('asks the broker ten times for one address; who succeeds has not used one up', async () => {
    fixture.brokerError = new RefusedError('유효하지 않은 AppKey입니다.')
    const codes: string[] = []
    const replies = await Promise.all(Array.from({ length: 31 }, (_, i) => signUp(`n${i}@digger.test`)))
    for (const reply of replies) codes.push(problemIn(reply))
    expect(codes.filter((code) => code === 'REJECTED')).toHaveLength(10)
    expect(codes.filter((code) => code === 'BUSY')).toHaveLength(21)
    expect(problemIn(await signUp('x@digger.test', PASSWORD, '203.0.113.8'))).toBe('REJECTED')
    expect((await logIn(owner.email, PASSWORD, '', from('203.0.113.7'))).statusCode).toBe(200)
  })
})
