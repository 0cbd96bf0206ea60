import { expect, test } from 'vitest'
import { Desk, DAY } from '../../test/desk.ts'
import { accountDays, peoplesDays } from './listed-days.ts'

const HOLIDAY = '20261225'
const [TODAY, WEEKDAY, SUNDAY] = ['20261228', '20261224', '20261227']
const TIMETABLE = { hours: 'krx', closed: new Set([HOLIDAY]), special: new Map() } as const
/** One order, of the desk's day. */
const { book } = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).quote(70_000).timer().account

test('the account needs the lists of today and of the days of its own orders, and no other', () => {
  const isListed = accountDays(book, TODAY, TIMETABLE)
  expect([DAY, WEEKDAY, HOLIDAY, SUNDAY, TODAY].filter(isListed)).toEqual([DAY, TODAY])
  expect(accountDays(book, HOLIDAY, TIMETABLE)(HOLIDAY)).toBe(false)
})

test('people look back over every day of trading, and over those of own orders whatever the calendar says', () => {
  expect([WEEKDAY, HOLIDAY, SUNDAY, TODAY].filter(peoplesDays(book, TIMETABLE))).toEqual([WEEKDAY, TODAY])
  expect(peoplesDays(book, { ...TIMETABLE, closed: new Set([DAY]) })(DAY)).toBe(true)
})
