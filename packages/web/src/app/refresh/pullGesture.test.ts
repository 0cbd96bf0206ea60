import { assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { isPullable, pulledBy, READY_PX } from './pullGesture.ts'

const FROM = { x: 200, y: 100 }

test.each([
  ['has hardly moved', 3, 5, null],
  ['goes down', 0, 100, 45],
  ['goes down as far as a release needs', 0, 125, 56.25],
  ['goes down much further', 0, 600, 88],
  ['goes up', 0, -40, 0],
  ['goes sideways, as over chips', 60, 30, 0],
  ['goes down a little aslant', 40, 100, 45],
])('a finger that %s', (_case, x, y, pulled) => {
  expect(pulledBy(FROM, { x: FROM.x + x, y: FROM.y + y })).toBe(pulled)
})

test('the further the finger, the further the indicator, and always less', () => {
  assert(
    property(integer({ min: 8, max: 900 }), integer({ min: 0, max: 900 }), (near, more) => {
      const [first, second] = [near, near + more].map((y) => pulledBy(FROM, { x: FROM.x, y: FROM.y + y }) ?? 0)
      expect(first).toBeGreaterThan(0)
      expect(second).toBeGreaterThanOrEqual(first ?? 0)
      expect(second).toBeLessThan(near + more)
    }),
  )
  expect(pulledBy(FROM, { x: FROM.x, y: FROM.y + 100 })).toBeLessThan(READY_PX)
})

test.each([
  ['/user/balance', true],
  ['/user/stock', true],
  ['/user/stock/005930/trade', true],
  ['/user/kis/order', true],
  ['/user/admin/user', true],
  ['/user/stock/005930/settings', false],
  ['/user/password', false],
  ['/u1/credentials', false],
])('%s can be pulled: %s', (path, can) => {
  expect(isPullable(path)).toBe(can)
})
