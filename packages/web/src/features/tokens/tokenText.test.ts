import { calls, TOKEN_DAYS, TokenScope, type ApiToken } from '@digger/contract'
import { expect, test } from 'vitest'
import { hasExpired, LIFETIMES, MAX_NAME, SCOPES, wrongName } from './tokenText.ts'

const token: ApiToken = {
  id: 1,
  name: 'script',
  scope: 'read',
  createdAt: '2026-11-20T10:00:00+09:00',
  expiresAt: '2026-11-27T10:00:00+09:00',
  usedAt: null,
  usedFrom: null,
}

test('what is offered is what the contract takes', () => {
  expect(SCOPES.map(([scope]) => scope)).toEqual(TokenScope.options)
  expect(LIFETIMES.map(([days]) => Number(days))).toEqual([...TOKEN_DAYS])
})

test.each(['', '  ', 'a', '가'.repeat(MAX_NAME), '가'.repeat(MAX_NAME + 1)])(
  'the name %j is taken where the contract takes it',
  (name) => {
    const { success } = calls.makeApiToken.body.safeParse({ name, scope: 'read' })
    expect(wrongName(name) === undefined).toBe(success)
  },
)

test('it has expired from its very last instant on', () => {
  const end = Date.parse(token.expiresAt)
  expect([end - 1, end].map((now) => hasExpired(token, now))).toEqual([false, true])
})
