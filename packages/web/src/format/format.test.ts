import { addDays, gainRatio, kstDay } from '@digger/core'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { lastDays, monthOf, showRange, validDay, weekdayName, yearOf } from './day.ts'
import { gainOf, gainRatioOf, tradeGain } from './gain.ts'
import { clock, gap, kstDigits, seenAt, stamp } from './time.ts'
import { number, percent, shortWon, signedPercent, axisWon } from './won.ts'

const comparing = () => expect.hasAssertions()
beforeEach(comparing)

describe('won and percent', () => {
  test('thousands are separated and missing is a dash, never a zero', () => {
    expect([number(1_234_567), number(0), number(null), percent(null)]).toEqual(['1,234,567', '0', '—', '—'])
  })
  test('percents have their decimals, and thousands apart', () => {
    expect([percent(12_345.67), percent(-99.99), percent(0.1)]).toEqual(['12,345.67%', '-99.99%', '0.10%'])
    expect([signedPercent(12_345.678), signedPercent(-0.3, 1), signedPercent(0.004)]).toEqual([
      '+12,345.68%',
      '−0.3%',
      '0.00%',
    ])
  })
  test.each([
    [123_456_789_012, '1,235억'],
    [-9_990_000_000, '−99.90억'],
    [123_456_789, '1.23억'],
    [-2_500_000, '−250만'],
    [15_872, '1.6만'],
    [-20_000, '−2만'],
    [9_999, '9,999'],
  ])('%d in short is %s', (value, text) => expect(shortWon(value)).toBe(text))
})

describe('time in Korea', () => {
  test('an instant late in the UTC evening is already tomorrow', () => {
    expect(stamp('2026-11-20T15:00:05Z')).toBe('26-11-21 00:00:05')
    expect(kstDay(Date.parse('2026-11-20T14:59:59Z'))).toBe('20261120')
    expect(kstDay(Date.parse('2026-11-20T15:00:00Z'))).toBe('20261121')
    expect(kstDigits('2026-11-20T15:00:05Z')).toBe('20261121000005')
    expect(clock(Date.parse('2026-11-20T15:00:05Z'))).toBe('00:00:05')
  })
  test.each([
    [0, '0.0초'],
    [60_000, '60.0초'],
    [60_001, '1.0분'],
    [3_600_000, '60.0분'],
    [3_600_001, '1.0시간'],
    [86_400_000, '24.0시간'],
    [86_400_001, '1.0일'],
    [-5_000, '0.0초'],
  ])('%d ms have gone by: %s', (ms, text) => expect(gap(ms)).toBe(text))
  test('a price of today shows its time, an older one its day too', () => {
    const now = Date.parse('2026-11-21T03:00:00Z')
    expect(seenAt('2026-11-21T02:30:00Z', now)).toBe('11:30')
    expect(seenAt('2026-11-20T06:30:00Z', now)).toBe('11-20 15:30')
  })
})

describe('days', () => {
  test('months and years move whole, over the turn of the year and through February', () => {
    expect(monthOf('20260131', -1)).toEqual({ fromDate: '20251201', toDate: '20251231' })
    expect(monthOf('20280131', 1)).toEqual({ fromDate: '20280201', toDate: '20280229' })
    expect(yearOf('20261121', -1)).toEqual({ fromDate: '20250101', toDate: '20251231' })
  })
  test('the last 10 days end today and are ten', () => {
    expect(lastDays('20261105', 10)).toEqual({ fromDate: '20261027', toDate: '20261105' })
    expect(lastDays('20261105', 1)).toEqual({ fromDate: '20261105', toDate: '20261105' })
  })
  test('adding and taking away days agree', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: -900, max: 900 }), (start, days) => {
        const day = addDays('19990101', start)
        expect(addDays(addDays(day, days), -days)).toBe(day)
        expect(validDay(day)).toBe(day)
      }),
    )
  })
  test('what is not a day is not taken for one', () => {
    expect(['20261301', '2026-11-01', '20260230', '', null].map(validDay)).toEqual([null, null, null, null, null])
    expect(weekdayName('20261121')).toBe('토')
    expect(showRange({ fromDate: '20261121', toDate: '20261121' })).toBe('2026-11-21')
  })
})

describe('gain', () => {
  const held = { price: 71_000, remainCount: 6, remainAmount: 415_800 }
  test('of what is held, in won and percent', () => {
    expect(gainOf(held)).toBe(10_200)
    expect(gainRatioOf(held)).toBeCloseTo(2.4531, 4)
  })
  test('without a price the gain is unknown, not zero', () => {
    expect(gainOf({ ...held, price: null })).toBeNull()
    expect(gainOf({ ...held, price: null, remainCount: 0, remainAmount: 0 })).toBe(0)
  })
  test('a sold trade gains by its own price, an open one by the current price', () => {
    const trade = { buyCount: 2, buyPrice: 68_600, sellPrice: null }
    expect(tradeGain({ ...trade, sellPrice: 69_500 }, 1)).toBe(1_800)
    expect(tradeGain(trade, 68_000)).toBe(-1_200)
    expect(tradeGain(trade, null)).toBeNull()
    expect(gainRatio(1, 0)).toBe(0)
  })
})

test.each([
  [100_500_000, 500_000, '10,050만'],
  [101_000_000, 1_000_000, '1.01억'],
  [105_000_000, 5_000_000, '1.05억'],
  [200_000_000, 100_000_000, '2억'],
  [-50_000, 50_000, '−5만'],
  [15_000, 5_000, '1.5만'],
  [1_500, 500, '1,500'],
  [0, 50_000, '0'],
])('%d on an axis of steps of %d is %s', (value, step, text) => expect(axisWon(value, step)).toBe(text))
