import type { Candle } from '@digger/kis-sim'
import { beforeAll, describe, expect, test } from 'vitest'
import { replay, type ReplayResult } from './replay.ts'
import { faultsOf, tradeHash } from './report.ts'
import { DEFAULT_SETTINGS } from './settings.ts'
import { slowLine } from './slow-line.ts'

const day = (date: string, code: string, prices: [number, number, number, number]): Candle => {
  const [open, high, low, close] = prices
  return { day: date, code, name: `종목 ${code}`, market: 'KOSPI', open, high, low, close, volume: 1_000_000 }
}

/** A fall, a recovery, and a weekend between them. */
const candles: Candle[] = ['100001', '100002', '100003'].flatMap((code, n) => {
  const at = (won: number) => won * (n + 1)
  return [
    day('20260108', code, [at(50_000), at(50_500), at(46_000), at(46_500)]),
    day('20260109', code, [at(46_500), at(48_500), at(44_000), at(48_000)]),
    day('20260112', code, [at(48_000), at(52_000), at(47_000), at(51_500)]),
  ]
})
const plan = { candles, settings: DEFAULT_SETTINGS, seed: 7, steps: 60, cash: 1_000_000_000 }

// Database, exchange, sockets and all, twice at the same time: what happens in one must not depend on the machine.
describe('three recorded days, traded by the whole product', () => {
  let results: readonly ReplayResult[] = []
  beforeAll(async () => {
    results = await Promise.all([replay(plan), replay(plan)])
  }, 120_000)

  test('book, broker and journal agree, to the share and the won, and every stock trades on', () => {
    expect(results.map(faultsOf)).toEqual([[], []])
  })

  test('every stock was bought and sold on the way', () => {
    const filled = results[0]?.book.orders.filter((order) => order.filled_count > 0) ?? []
    for (const code of ['100001', '100002', '100003']) {
      const sides = filled.filter((order) => order.code === code).map((order) => order.side)
      expect(sides.filter((side) => side === 'buy').length).toBeGreaterThan(3)
      expect(sides.filter((side) => side === 'sell').length).toBeGreaterThan(3)
    }
  })

  test('the same seed gives the same trades', () => {
    const [one, other] = results.map(({ book }) => tradeHash(book))
    expect(one).toMatch(/^[0-9a-f]{16}$/)
    expect(one).toBe(other)
  })
})

// Prices fall a tick at a time and each is bought, while a question about cash, an order and the broker's list are on the
// line together: whether the list names the order must not be a matter of which of them was faster.
test('the same seed gives the same trades, whichever call or reply is late', { timeout: 300_000 }, async () => {
  const falling = ['200001', '200002'].map((code, n) =>
    day('20260108', code, [40_000, 40_000, 37_500, 40_000 - 50 * n]),
  )
  const settings = { ...DEFAULT_SETTINGS, buy: -0.1, sell: 0.1, unit: 40_000, cap: 240_000 }
  const runs = [1, 2, 3].map((seed) =>
    replay({ ...plan, candles: falling, settings, steps: 200, line: (url) => slowLine(url, seed, 60) }),
  )
  const results = await Promise.all(runs)
  expect(results.map(faultsOf)).toEqual([[], [], []])
  expect(results[0]?.book.orders.length).toBeGreaterThan(10)
  expect(new Set(results.map(({ book }) => tradeHash(book))).size).toBe(1)
})
