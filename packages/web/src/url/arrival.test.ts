import { expect, test } from 'vitest'
import { afterLogin, arrivalOf } from './arrival.ts'

const MINJI = { userId: 'u1', diggerAdmin: false }
const ADMIN = { userId: 'a1', diggerAdmin: true }

test.each([
  // Where one was.
  ['/user/gain?fromDate=20261101&toDate=20261130', '/user/gain?fromDate=20261101&toDate=20261130'],
  ['/u1/stock/005930/trade', '/u1/stock/005930/trade'],
  ['/kis/order', '/kis/order'],
  ['/user/balance?showDetail=true', '/user/balance?showDetail=true'],
  // Where one goes anyway.
  ['/user/balance', '/'],
  ['/', '/'],
  ['/login', '/'],
  // Pages of another person, or of administrators.
  ['/u2/balance', '/'],
  ['/user/admin/user', '/'],
  ['/admin/user', '/'],
  // Other servers, also as only browsers read them.
  ['https://example.com/user/gain', '/'],
  ['//example.com/user/gain', '/'],
  ['/\\example.com', '/'],
  ['javascript:alert(1)', '/'],
  ['user/gain', '/'],
])('after the log-in of a user who wanted %j comes %j', (next, to) => {
  expect(afterLogin(arrivalOf({ next }), MINJI)).toBe(to)
})

test('an administrator goes to all users, or to the page that was wanted, whosever it is', () => {
  expect(afterLogin(arrivalOf(null), ADMIN)).toBe('/user/admin/user')
  expect(afterLogin(arrivalOf({ next: '/user/balance' }), ADMIN)).toBe('/user/admin/user')
  expect(afterLogin(arrivalOf({ next: '/u1/balance' }), ADMIN)).toBe('/u1/balance')
  expect(afterLogin(arrivalOf({ next: '/user/admin/gain' }), ADMIN)).toBe('/user/admin/gain')
})

test.each([[undefined], [null], ['text'], [7], [{}], [{ next: 7, joined: null }]])('%j brings nothing', (state) => {
  expect(arrivalOf(state)).toEqual({})
})

test('the e-mail address that has just signed up comes along', () => {
  expect(arrivalOf({ joined: 'sora@example.com' })).toEqual({ joined: 'sora@example.com' })
})
