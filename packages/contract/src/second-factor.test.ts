import { describe, expect, test } from 'vitest'
import { calls } from './calls.ts'
import { FactorProof, TotpCode } from './second-factor.ts'

const response = { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' }
const passkey = { id: 'AA', rawId: 'AA', type: 'public-key', clientExtensionResults: {}, response }
const prf = 'A'.repeat(43)

describe('what is shown beside a password', () => {
  test.each([
    ['an app’s digits', { totp: '123456' }],
    ['digits as apps show them', { totp: '123 456' }],
    ['a recovery code', { code: 'abcd-efgh-jkmn' }],
    ['a passkey', { passkey }],
    ['a passkey and what it derives', { passkey, prf }],
  ])('%s is one thing', (_what, proof) => expect(FactorProof.safeParse(proof).error).toBeUndefined())

  test.each([
    ['nothing', {}],
    ['two things', { totp: '123456', code: 'abcd-efgh-jkmn' }],
    ['a password', { password: 'x' }],
    ['five digits', { totp: '12345' }],
    ['letters', { totp: '12345a' }],
    ['a number', { totp: 123_456 }],
    ['an object in the place of digits', { totp: { length: 6 } }],
    ['a short code', { code: 'abc' }],
    ['an endless code', { code: 'a'.repeat(41) }],
    ['a passkey of another kind', { passkey: { ...passkey, type: 'password' } }],
    ['an endless passkey', { passkey: { ...passkey, response: { ...response, signature: 'A'.repeat(4_001) } } }],
    ['a passkey with other signs', { passkey: { ...passkey, id: '../..' } }],
    ['a secret of another length', { passkey, prf: 'A'.repeat(42) }],
  ])('%s is refused', (_what, proof) => expect(FactorProof.safeParse(proof).success).toBe(false))
})

test('blanks between digits are not typed', () => expect(TotpCode.parse(' 123 456 ')).toBe('123456'))

test('a log-in needs none of it, and takes it along', () => {
  const login = { email: 'A@example.com', password: 'x' }
  expect(calls.login.body.parse(login)).toEqual({ email: 'a@example.com', password: 'x', forceKisLogin: false })
  expect(calls.login.body.parse({ ...login, proof: { totp: '123456' } }).proof).toEqual({ totp: '123456' })
  expect(calls.createUserKey.body.safeParse({ ...login, proof: { totp: '1' } }).data).not.toHaveProperty('proof')
})

test('who is asked again may show the password or what is shown beside it', () => {
  const { body } = calls.stepUp
  expect(body.safeParse({ password: 'x' }).success).toBe(true)
  expect(body.safeParse({ totp: '123456' }).success).toBe(true)
  expect(body.safeParse({ password: 'x', totp: '123456' }).success).toBe(false)
  expect(body.safeParse({}).success).toBe(false)
})
