import { expect, test } from 'vitest'
import { bearerOf } from './bearer.ts'

test.each<[string | undefined, string | null]>([
  [undefined, null],
  ['', null],
  ['Basic bWluamk6eA==', null],
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['BEARER   abc  ', 'abc'],
  ['Bearer', ''],
  ['Bearer ', ''],
  // Not well written, and still no reason to look at the cookie.
  ['Bearer a b', ''],
  ['Bearer,abc', ''],
  ['Bearer\tabc', ''],
  ['Bearerabc', null],
])('%j shows %j', (authorization, secret) => {
  expect(bearerOf({ headers: authorization === undefined ? {} : { authorization } })).toBe(secret)
})
