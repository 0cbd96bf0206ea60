import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as kst from './kst.ts'

const NINE = Date.UTC(2026, 8, 14, 0, 0, 0) // 09:00 KST

test('an instant has a Korean day, clock and spelling', () => {
  expect(kst.kstDay(NINE)).toBe('20260914')
  expect(kst.kstClock(NINE)).toBe(9 * 3600)
  expect(kst.kstTime(NINE + 1_234)).toBe('090001')
  expect(kst.kstIso(NINE + 5)).toBe('2026-09-14T09:00:00.005+09:00')
})

test.each([
  ['the last millisecond of a day', Date.UTC(2026, 8, 14, 14, 59, 59, 999), '20260914', 86_399],
  ['Korean midnight', Date.UTC(2026, 8, 14, 15, 0, 0, 0), '20260915', 0],
  ['New Year comes nine hours early', Date.UTC(2026, 11, 31, 15), '20270101', 0],
  ['a leap day', Date.UTC(2028, 1, 29, 3), '20280229', 43_200],
  ['before the epoch', -1, '19700101', 32_399],
  ['long before the epoch', Date.UTC(1969, 11, 31, 14, 59, 59), '19691231', 86_399],
])('%s', (_name, ms, day, clock) => {
  expect(kst.kstDay(ms)).toBe(day)
  expect(kst.kstClock(ms)).toBe(clock)
})

test('an instant is spelled as a Date would spell it, whatever was spelled before', () => {
  const instant = fc.oneof(
    fc.integer({ min: -1e12, max: 4e12 }),
    fc.integer({ min: -100_000, max: 100_000 }).map((n) => NINE + n),
  )
  fc.assert(
    fc.property(fc.array(instant, { minLength: 1, maxLength: 4 }), (all) => {
      for (const ms of all) {
        expect(kst.kstIso(ms)).toBe(new Date(ms + 9 * 3_600_000).toISOString().replace('Z', '+09:00'))
      }
    }),
  )
  expect(() => kst.kstIso(Number.NaN)).toThrow(RangeError)
})

describe('kstInstant', () => {
  test.each([['093354'], [93_354], ['93354']])('reads the broker’s time %s', (time) => {
    expect(kst.kstInstant('20260914', time)).toBe(Date.UTC(2026, 8, 14, 0, 33, 54))
  })
  test.each(['240000', '096000', '090060', '-1', 'abcdef', '9.5'])('refuses %s', (time) => {
    expect(() => kst.kstInstant('20260914', time)).toThrow('not a time of day')
  })
  test.each(['2026091', '2026-09-14', ''])('refuses the day "%s"', (day) => {
    expect(() => kst.kstInstant(day)).toThrow('not a day')
  })
})

test('days step over months, years and leap days', () => {
  expect(kst.addDays('20260228', 1)).toBe('20260301')
  expect(kst.addDays('20280228', 1)).toBe('20280229')
  expect(kst.addDays('20270101', -1)).toBe('20261231')
  expect(kst.weekday('20260914')).toBe(1)
  expect(kst.weekday('20260913')).toBe(0)
})

test('months and years as ranges', () => {
  expect(kst.monthRange('20260914')).toEqual({ from: '20260901', to: '20260930' })
  expect(kst.monthRange('20260131', 1)).toEqual({ from: '20260201', to: '20260228' })
  expect(kst.monthRange('20260115', -1)).toEqual({ from: '20251201', to: '20251231' })
  expect(kst.yearRange('20260914', -1)).toEqual({ from: '20250101', to: '20251231' })
})

test.each([
  ['20260914', true],
  ['20280229', true],
  ['20260229', false],
  ['20261301', false],
  ['20260900', false],
  ['hello', false],
])('%s is a day: %s', (text, is) => expect(kst.isDay(text)).toBe(is))

const instants = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2099, 11, 31) })
test('day and clock together give the instant back', () => {
  fc.assert(
    fc.property(instants, (ms) => {
      const second = Math.floor(ms / 1000) * 1000
      expect(kst.kstInstant(kst.kstDay(ms), kst.kstTime(ms))).toBe(second)
      expect(kst.kstMidnight(kst.kstDay(ms)) + kst.kstMsOfDay(ms)).toBe(ms)
      expect(kst.kstClock(ms)).toBe(Math.floor(kst.kstMsOfDay(ms) / 1000))
      expect(Date.parse(kst.kstIso(ms))).toBe(ms)
      expect(kst.isDay(kst.kstDay(ms))).toBe(true)
    }),
  )
})
test('adding days and taking them away again changes nothing', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -4_000, max: 4_000 }), (ms, n) => {
      const day = kst.kstDay(ms)
      expect(kst.addDays(kst.addDays(day, n), -n)).toBe(day)
      expect(Math.abs(kst.weekday(kst.addDays(day, n)) - kst.weekday(day) - n) % 7).toBe(0)
    }),
  )
})
