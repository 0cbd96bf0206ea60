import { expect, test } from 'vitest'
import { dayAfter, dayBefore, isWeekday, kstDay, kstInstant, kstTime, monthStart } from './kst.ts'
import { originalOdno, padOdno } from './odno.ts'
import { splitAtThreeMonths } from './rest/executions.ts'

test.each([
  ['15:00 UTC is already tomorrow', '2026-11-20T15:00:00Z', '20261121', '000000'],
  ['a second earlier it is not', '2026-11-20T14:59:59Z', '20261120', '235959'],
])('%s', (_name, instant, day, time) => {
  expect(kstDay(Date.parse(instant))).toBe(day)
  expect(kstTime(Date.parse(instant))).toBe(time)
  expect(kstInstant(day, time)).toBe(Date.parse(instant))
})

test.each([
  ['', '093000'],
  ['20261120', ''],
  ['2026-1-2', '093000'],
  ['20260230', '093000'],
  ['20261301', '093000'],
  ['20261120', '240000'],
  ['20261120', '096000'],
  ['20261120', '999999'],
])('"%s" "%s" is no instant', (day, time) => expect(kstInstant(day, time)).toBeNaN())

test.each([
  ['20260301', '20260228'],
  ['20280301', '20280229'],
  ['20260101', '20251231'],
])('the day before %s is %s', (day, before) => expect(dayBefore(day)).toBe(before))

test.each(['20260228', '20280228', '20251231', '20261120'])('the day after %s is followed back to it', (day) =>
  expect(dayBefore(dayAfter(day))).toBe(day),
)

test('Monday to Friday', () => {
  const week = ['20261116', '20261117', '20261118', '20261119', '20261120', '20261121', '20261122']
  expect(week.map(isWeekday)).toEqual([true, true, true, true, true, false, false])
})

test.each([
  ['20240425', '20240101'],
  ['20240331', '20231201'],
  ['20260131', '20251001'],
])('on %s the recent orders begin on %s', (day, start) => expect(monthStart(day, 3)).toBe(start))

test.each([
  ['within', '20240101', '20240425', ['executions 20240101 20240425']],
  ['one day across', '20231231', '20240101', ['executionsOlder 20231231 20231231', 'executions 20240101 20240101']],
  ['before', '20230101', '20231231', ['executionsOlder 20230101 20231231']],
  ['far across', '20230601', '20240425', ['executionsOlder 20230601 20231231', 'executions 20240101 20240425']],
])('a range %s the three-month border', (_name, from, to, expected) => {
  const parts = splitAtThreeMonths({ from, to }, '20240425')
  expect(parts.map((part) => `${part.name} ${part.from} ${part.to}`)).toEqual(expected)
})

test.each([
  ['0000003663', '0000003663'],
  ['       528', '0000000528'],
  ['528', '0000000528'],
  ['000000000000528', '0000000528'],
  ['A12', 'A12'],
])('order number "%s" is %s', (raw, odno) => expect(padOdno(raw)).toBe(odno))

test.each(['', ' ', '0', '0000000000', '         0'])('"%s" names no original order', (raw) =>
  expect(originalOdno(raw)).toBeNull(),
)
