import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_ASKED_MS, retryAfter } from './retry.ts'

test.each([
  [1, null, 5],
  [2, null, 15],
  [3, null, 45],
  [4, null, 135],
  [5, null, 405],
  [6, null, 900],
  [7, null, 900],
  [1_000, null, 900],
  // As the other side asks.
  [1, 4_999, 5],
  [1, 5_001, 5.001],
  [6, 60_000, 900],
  [1, 3_600_000, 3_600],
  [1, 86_400_000, 3_600],
  [1, 0, 5],
  [1, -1, 5],
])('after try %i, asked for %s ms: %d s', (tries, asked, seconds) =>
  expect(retryAfter(tries, asked)).toBe(seconds * 1_000),
)

test('never at once, never later than an hour, and never sooner for one more try', () => {
  const asked = fc.option(fc.integer({ min: -1, max: 10 * MAX_ASKED_MS }))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), asked, (tries, askedMs) => {
      const ms = retryAfter(tries, askedMs)
      expect(ms).toBeGreaterThanOrEqual(5_000)
      expect(ms).toBeLessThanOrEqual(MAX_ASKED_MS)
      expect(retryAfter(tries + 1, askedMs)).toBeGreaterThanOrEqual(ms)
    }),
  )
})
