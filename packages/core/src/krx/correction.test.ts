import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { knownTimetable, missingYear } from './calendar.ts'
import { clockText, correctionProblem, correctionText, secondsOf, type DayCorrection } from './correction.ts'
import { addDays, kstInstant } from './kst.ts'
import { isTradingDay, nextChange, phaseAt, type Timetable } from './session.ts'

const at = (hours: number, minutes = 0): number => (hours * 60 + minutes) * 60
const MONDAY = '20270104'

describe('what an operator may say of a day', () => {
  test.each<[string, DayCorrection, string | null]>([
    ['closed', 'closed', null],
    ['normal', 'normal', null],
    ['the first session of a year', { opensAt: at(10), closesAt: at(15, 30), preMarketAt: null }, null],
    ['a pre-market that ends as the session opens', { opensAt: at(9), closesAt: at(15), preMarketAt: at(8, 10) }, null],
    ['one that ends later', { opensAt: at(9), closesAt: at(15), preMarketAt: at(8, 11) }, '프리마켓'],
    ['one before six', { opensAt: at(9), closesAt: at(15), preMarketAt: at(5, 59) }, '06:00'],
    ['an open before six', { opensAt: at(5, 59), closesAt: at(15), preMarketAt: null }, '06:00'],
    ['a close after seven in the evening', { opensAt: at(9), closesAt: at(19, 1), preMarketAt: null }, '19:00'],
    ['a session of an hour', { opensAt: at(9), closesAt: at(10), preMarketAt: null }, null],
    ['a shorter one', { opensAt: at(9), closesAt: at(9, 59), preMarketAt: null }, '한 시간'],
    ['a close before the open', { opensAt: at(15), closesAt: at(9), preMarketAt: null }, '한 시간'],
  ])('%s', (_, correction, says) => {
    const problem = correctionProblem(MONDAY, correction)
    expect(problem === null ? null : says !== null && problem.includes(says)).toBe(says === null ? null : true)
  })

  test.each(['20270102', '20270103'])('nothing of a weekend: %s', (day) =>
    expect(correctionProblem(day, 'normal')).toContain('토요일과 일요일'),
  )

  test('whatever is taken gives a day whose phases follow each other and end by 20:00', () => {
    const minute = fc.integer({ min: 0, max: 24 * 60 - 1 }).map((minutes) => minutes * 60)
    const hours = fc.record({ opensAt: minute, closesAt: minute, preMarketAt: fc.option(minute) })
    fc.assert(
      fc.property(hours, (own) => {
        fc.pre(correctionProblem(MONDAY, own) === null)
        const timetable: Timetable = { ...knownTimetable('krx'), special: new Map([[MONDAY, own]]) }
        const evening = kstInstant(MONDAY, '200000')
        let now = kstInstant(MONDAY, '000000')
        for (let edges = 0; now < evening && edges < 50; edges += 1) now = nextChange(now, timetable)
        expect(now).toBe(evening)
        for (const venue of ['KRX', 'NXT'] as const) expect(phaseAt(venue, evening, timetable).name).toBe('closed')
        expect(phaseAt('KRX', kstInstant(MONDAY) + own.opensAt * 1_000, timetable).name).toBe('regular')
      }),
    )
  })
})

test.each([
  ['09:00', at(9)],
  ['9:05', at(9, 5)],
  [' 23:59 ', at(23, 59)],
  ['00:00', 0],
  ['24:00', null],
  ['9', null],
  ['0900', null],
  ['09:60', null],
  ['', null],
])('%j is %s seconds of the day', (text, seconds) => expect(secondsOf(text)).toBe(seconds))

test('a time that is written is read again', () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 24 * 60 - 1 }), (minutes) => {
      expect(secondsOf(clockText(minutes * 60))).toBe(minutes * 60)
    }),
  ))

test('days in words', () => {
  const late = { opensAt: at(10), closesAt: at(15, 30) }
  const days: DayCorrection[] = ['closed', 'normal', { ...late, preMarketAt: null }, { ...late, preMarketAt: at(8) }]
  expect(days.map(correctionText)).toEqual([
    '휴장',
    '보통(09:00~15:30)',
    '10:00~15:30, 프리마켓 없음',
    '10:00~15:30, 프리마켓 08:00부터',
  ])
})

describe('the year whose days nobody has given', () => {
  const krx = knownTimetable('krx')
  test.each([
    ['20261123', null],
    ['20271031', null],
    ['20271101', 2028],
    ['20271231', 2028],
    ['20280102', 2028],
  ])('on %s: %s', (today, year) => expect(missingYear(today, krx)).toBe(year))

  /** Weekdays of a year, from its beginning. */
  const weekdays = (year: number, count: number): string[] => {
    const days: string[] = []
    for (let day = `${year}0101`; days.length < count; day = addDays(day, 1))
      if (isTradingDay(day, { ...krx, closed: new Set() })) days.push(day)
    return days
  }
  const withDays = (days: readonly string[]): Timetable => ({ ...krx, closed: new Set([...krx.closed, ...days]) })

  test('is known once ten closed weekdays of it are; weekends, which a broker lists too, do not count', () => {
    expect(missingYear('20271101', withDays(weekdays(2028, 9)))).toBe(2028)
    expect(missingYear('20271101', withDays(['20280101', '20280102', ...weekdays(2028, 9)]))).toBe(2028)
    expect(missingYear('20271101', withDays(weekdays(2028, 10)))).toBe(null)
  })

  test('does not matter where the exchange is always open', () =>
    expect(missingYear('20300101', knownTimetable('always'))).toBe(null))
})
