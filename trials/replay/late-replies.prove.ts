import { expect, test } from 'vitest'
import { replay } from './replay.ts'
import { faultsOf, tradeHash } from './report.ts'
import { slowLine } from './slow-line.ts'
import { daily, THREE_DAYS } from './three-days.ts'

// Prices fall a tick at a time and each is bought, while a question about cash, an order and the broker's list are on the
// line together: whether the list names the order must not be a matter of which of them was faster.
test('the same seed gives the same trades, whichever call or reply is late', { timeout: 300_000 }, async () => {
  const candles = ['200001', '200002'].map((code, n) =>
    daily('20260108', code, [40_000, 40_000, 37_500, 40_000 - 50 * n]),
  )
  const settings = { ...THREE_DAYS.settings, buy: -0.1, sell: 0.1, unit: 40_000, cap: 240_000 }
  const runs = [1, 2, 3].map((seed) =>
    replay({ ...THREE_DAYS, candles, settings, steps: 200, line: (url) => slowLine(url, seed, 60) }),
  )
  const results = await Promise.all(runs)
  expect(results.map(faultsOf)).toEqual([[], [], []])
  expect(results[0]?.book.orders.length).toBeGreaterThan(10)
  expect(new Set(results.map(({ book }) => tradeHash(book))).size).toBe(1)
})
