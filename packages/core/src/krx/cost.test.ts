import { describe, expect, test } from 'vitest'
import { costs, netGain } from './cost.ts'

const deal = { side: 'sell', amount: 1_000_000, market: 'KOSPI', kind: 'stock', day: '20260914' } as const

describe('one million won', () => {
  test.each([
    ['a buy pays no tax', { side: 'buy' }, 150, 0],
    ['KOSPI 2026', {}, 150, 2_000],
    ['KOSDAQ 2026', { market: 'KOSDAQ' }, 150, 2_000],
    ['KONEX', { market: 'KONEX' }, 150, 1_000],
    ['an ETF pays no tax', { kind: 'etf' }, 150, 0],
    ['first day of 2026', { day: '20260101' }, 150, 2_000],
    ['last day of 2025', { day: '20251231' }, 150, 1_500],
    ['KOSDAQ 2025', { market: 'KOSDAQ', day: '20250102' }, 150, 1_500],
    ['2024', { day: '20241230' }, 150, 1_800],
    ['2023', { day: '20230102' }, 150, 2_000],
  ] as const)('%s', (_name, change, fee, tax) => expect(costs({ ...deal, ...change })).toEqual({ fee, tax }))
})

test.each([
  [6_666, 0, 13],
  [6_667, 1, 13],
  [499, 0, 0],
  [500, 0, 1],
  [139_000, 20, 278],
])('%i won are cut to whole won: fee %i, tax %i', (amount, fee, tax) => {
  expect(costs({ ...deal, amount })).toEqual({ fee, tax })
})

test('net gain: the worked example’s first sale, 1,800 won gross', () => {
  const roundTrip = { market: 'KOSPI', kind: 'stock', buyDay: '20260914', sellDay: '20260914' } as const
  expect(netGain({ ...roundTrip, buyAmount: 137_200, sellAmount: 139_000 })).toBe(1_800 - 20 - 20 - 278)
})

test('each side is taxed by its own day', () => {
  const roundTrip = { market: 'KOSDAQ', kind: 'stock', buyAmount: 1_000_000, sellAmount: 1_000_000 } as const
  expect(netGain({ ...roundTrip, buyDay: '20251230', sellDay: '20251230' })).toBe(-150 - 150 - 1_500)
  expect(netGain({ ...roundTrip, buyDay: '20251230', sellDay: '20260102' })).toBe(-150 - 150 - 2_000)
})
