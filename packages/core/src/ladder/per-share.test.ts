import { expect, test } from 'vitest'
import { perShareDown, perShareUp } from './per-share.ts'

test.each([
  // One won beside the whole price, on both sides.
  [207_899, 3, 69_300, 69_299],
  [207_900, 3, 69_300, 69_300],
  [207_901, 3, 69_301, 69_300],
  [1, 1, 1, 1],
  [1, 3, 1, 0],
  [0, 3, 0, 0],
  // Exact up to the largest amounts an account could hold.
  [999_999_999_999, 1_000_000, 1_000_000, 999_999],
  [1_000_000_000_001, 1_000_000, 1_000_001, 1_000_000],
])('%d won for %d shares: %d each at most, %d at least', (amount, count, up, down) => {
  expect([perShareUp(amount, count), perShareDown(amount, count)]).toEqual([up, down])
})
