import { expect, test } from 'vitest'
import { dayToPrepare } from './before-day.ts'
import { knownTimetable } from './calendar.ts'
import { kstInstant } from './kst.ts'

const KRX = knownTimetable('krx')
const [USER, OTHER] = ['abcdefghijklmnop', 'abcdefghijklmnoq']

test.each<[string, string, string, string | null]>([
  ['before the account’s minute', '20260106', '071900', null],
  ['when every account’s minute has come', '20260106', '074900', '20260106'],
  ['a minute before the first session', '20260106', '075900', '20260106'],
  ['later', '20260106', '075901', null],
  ['on a Saturday', '20260110', '074900', null],
  ['on a day that opens an hour later, and NXT not before', '20251113', '074900', null],
])('%s', (_name, day, time, prepared) => {
  expect(dayToPrepare(USER, kstInstant(day, time), KRX)).toBe(prepared)
})

function firstMinute(userId: string): number {
  let at = kstInstant('20260106', '070000')
  while (dayToPrepare(userId, at, KRX) === null) at += 60_000
  return at
}

test('two accounts have their own minutes', () => {
  expect(firstMinute(OTHER) - firstMinute(USER)).toBe(60_000)
})

test('where no hours are kept nothing is early', () => {
  expect(dayToPrepare(USER, kstInstant('20260106', '074900'), knownTimetable('always'))).toBeNull()
})
