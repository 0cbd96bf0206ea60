import type { Candle, SimOptions } from '@digger/kis-sim'
import { beforeAll, describe, expect, test } from 'vitest'
import { replay, type ReplayPlan, type ReplayResult } from './replay.ts'
import { tradeHash } from './report.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

type Assumptions = NonNullable<SimOptions['assumptions']>

/** A stock that falls and recovers, over a weekend. */
const DAYS: readonly (readonly [day: string, prices: readonly [number, number, number, number]])[] = [
  ['20260108', [40_000, 40_200, 38_400, 38_600]],
  ['20260109', [38_600, 39_600, 38_000, 39_400]],
  ['20260112', [39_400, 40_200, 38_800, 40_000]],
]
const candles = DAYS.map(([day, [open, high, low, close]]): Candle => {
  return { day, code: '300001', name: '종목', market: 'KOSPI', open, high, low, close, volume: 1_000_000 }
})

/** What became of a day's orders the server learns the next morning, and of Friday's on Monday. */
const plan: ReplayPlan = {
  candles,
  settings: { ...DEFAULT_SETTINGS, buy: -0.5, sell: 0.5, unit: 200_000, cap: 4_000_000 },
  seed: 11,
  steps: 40,
  cash: 1_000_000_000,
  listsFailFrom: '152500',
}

/**
 * A run takes seconds, so the answers are put together. Nothing happens between two calls that are let in one by one:
 * what `changedListBreaks` does to a list of several pages is in packages/kis-sim/test/client-lists.test.ts.
 */
const ANSWERS: readonly (readonly [string, Assumptions])[] = [
  [
    'as one would like them',
    { dayRanges: 'answered', changedListBreaks: false, rowsTwice: false, unpricedShownAt: 'zero' },
  ],
  ['as they are likeliest', {}],
  [
    'all at their worst',
    { dayRanges: 'refused', changedListBreaks: true, rowsTwice: true, unpricedShownAt: 'paidPrice' },
  ],
]

/** What the refusals from 15:25 on bring with them, under every answer. */
const OF_THE_NIGHT = /마감 작업|^fill of \d{8}\/\d+ at \d+ booked/

describe('the same plan, whatever the broker’s lists are like', () => {
  let results: ReadonlyMap<string, ReplayResult>
  beforeAll(async () => {
    const runs = ANSWERS.map(async ([name, assumptions]) => [name, await replay({ ...plan, assumptions })] as const)
    results = new Map(await Promise.all(runs))
  }, 300_000)

  test.each(ANSWERS.map(([name]) => name))('%s: book, broker and journal agree', (name) => {
    expect(results.get(name)?.problems.filter((text) => !OF_THE_NIGHT.test(text))).toEqual([])
  })

  test('gives the same trades', () => {
    const hashes = [...results.values()].map(({ book }) => tradeHash(book))
    expect(hashes).toHaveLength(ANSWERS.length)
    expect(new Set(hashes).size).toBe(1)
    expect(results.get('all at their worst')?.book.orders.length).toBeGreaterThan(20)
  })
})
