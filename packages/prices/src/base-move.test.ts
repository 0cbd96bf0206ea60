import { knownTimetable, kstInstant, type AnnouncedAction } from '@digger/core'
import { expect, test } from 'vitest'
import { judgeBy, judgeByChart, type BaseJudge } from './base-move.ts'

const CODE = '005930'
const MONDAY = '20261123'
const BONUS: AnnouncedAction = { kind: 'bonusIssue', day: MONDAY, ratio: 2, paid: 0, creditDay: null }
const MOVED = { day: MONDAY, close: 70_000, base: 35_000 }

/** On Monday morning, with the close of a day before. */
function judge(announced: AnnouncedAction | null, closeOf = '20261120'): BaseJudge {
  const closing = { day: closeOf, close: 70_000, base: 69_000 }
  return judgeBy({
    closings: { of: () => closing },
    announcements: { on: (_code, day) => (announced?.day === day ? announced : undefined) },
    timetables: { current: knownTimetable('krx') },
    clock: { now: () => kstInstant(MONDAY, '081500') },
  })
}

test.each<[string, AnnouncedAction | null, number, object | null]>([
  ['nobody has announced anything: two prices', null, 35_000, MOVED],
  ['the announced number of shares goes with a base that agrees', BONUS, 35_000, { ...MOVED, ratio: 2 }],
  ['also a tick beside', BONUS, 35_050, { ...MOVED, base: 35_050, ratio: 2 }],
  ['not with another base', BONUS, 40_000, { ...MOVED, base: 40_000 }],
  ['nor where new shares are paid for', { ...BONUS, kind: 'rightsIssue', paid: 50_000 }, 35_000, MOVED],
  ['nor of another day', { ...BONUS, day: '20261124' }, 35_000, MOVED],
  ['a base that has not moved is judged by itself, whatever was announced', BONUS, 70_000, null],
])('%s', (_name, announced, base, expected) => {
  expect(judge(announced)(CODE, base)).toEqual(expected)
})

test('without a close of the day before it is not known, but by the chart', () => {
  expect(judge(BONUS, '20261119')(CODE, 35_000)).toBe(undefined)
  expect(judge(BONUS, '20261119')(CODE, 35_000, { day: MONDAY, close: 70_000 })).toEqual({ ...MOVED, ratio: 2 })
  expect(judgeByChart(CODE, 35_000, { day: MONDAY, close: 70_000 })).toEqual(MOVED)
  expect(judgeByChart(CODE, 35_000)).toBe(undefined)
})

test('a close that was kept goes before the chart, which may end with the evening', () => {
  expect(judge(null)(CODE, 70_000, { day: MONDAY, close: 90_000 })).toBe(null)
  expect(judge(null)(CODE, 35_000, { day: MONDAY, close: 35_000 })).toEqual(MOVED)
})
