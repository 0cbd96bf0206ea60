import { beforeEach, describe, expect, test } from 'vitest'
import { costs, netGain } from './cost.ts'

const comparing = () => expect.hasAssertions()
beforeEach(comparing)

const deal = { side: 'sell', amount: 1_000_000, market: 'KOSPI', kind: 'stock', day: '20260914' } as const

describe('one million won', () => {
  test.each([
    ['a buy pays no tax', { side: 'buy' }, 150, 0],
    ['KOSPI 2026', {}, 150, 2_000],
    ['KOSDAQ 2026', { market: 'KOSDAQ' }, 150, 2_000],
    ['KONEX', { market: 'KONEX' }, 150, 1_000],
    ['an ETF pays no tax', { kind: 'etf' }, 150, 0],
    ['first day of 2026', { day: '20260101' }, 150, 2_000],
    ['the last days of 2025 settle in 2026', { day: '20251229' }, 150, 2_000],
    ['the last that settle in 2025', { day: '20251226' }, 150, 1_500],
    ['KOSDAQ 2025', { market: 'KOSDAQ', day: '20250102' }, 150, 1_500],
    ['first of the rate of 2025', { day: '20241227' }, 150, 1_500],
    ['2024', { day: '20241226' }, 150, 1_800],
    ['first of the rate of 2024', { day: '20231227' }, 150, 1_800],
    ['2023', { day: '20230102' }, 150, 2_000],
    ['first of the rate of 2023', { day: '20221228' }, 150, 2_000],
    ['2022', { day: '20221227' }, 150, 2_300],
    ['first of the rate of 2021', { day: '20201229', market: 'KOSDAQ' }, 150, 2_300],
    ['2020', { day: '20201228' }, 150, 2_500],
    ['30 May 2019 settles on 3 June', { day: '20190530' }, 150, 2_500],
    ['KONEX from then on', { market: 'KONEX', day: '20190530' }, 150, 1_000],
    ['before', { day: '20190529' }, 150, 3_000],
    ['KOSDAQ 2016', { market: 'KOSDAQ', day: '20161125' }, 150, 3_000],
    ['KONEX 2018', { market: 'KONEX', day: '20180102' }, 150, 3_000],
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
  expect(netGain({ ...roundTrip, buyDay: '20251226', sellDay: '20251226' })).toBe(-150 - 150 - 1_500)
  expect(netGain({ ...roundTrip, buyDay: '20251226', sellDay: '20251229' })).toBe(-150 - 150 - 2_000)
})
