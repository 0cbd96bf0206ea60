import type { CalendarDay, Reply } from '@digger/contract'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CalendarDays, sourceText } from './CalendarDays.tsx'
import { Notices } from './CalendarPage.tsx'
import { draftOf, NEW_DAY, typedDay, type DayDraft } from './dayDraft.ts'

const TODAY = '20261123'
const nothing = () => undefined
const LATE = { opensAt: 36_000, closesAt: 55_800, preMarketAt: null }

const typed = (change: Partial<DayDraft>) => typedDay({ ...NEW_DAY, date: '2027-01-04', ...change }, TODAY)

test.each<[string, Partial<DayDraft>, ReturnType<typeof typedDay>]>([
  ['closed', { how: 'closed' }, { day: '20270104', is: 'closed' }],
  ['normal', { how: 'normal' }, { day: '20270104', is: 'normal' }],
  ['with hours', { how: 'hours' }, { day: '20270104', is: LATE }],
  [
    'with a pre-market',
    { how: 'hours', preMarketAt: '8:00' },
    { day: '20270104', is: { ...LATE, preMarketAt: 28_800 } },
  ],
  ['today', { date: '2026-11-23' }, { day: '20261123', is: 'closed' }],
])('%s', (_, change, expected) => expect(typed(change)).toEqual(expected))

test.each<[string, Partial<DayDraft>, RegExp, 'date' | 'hours']>([
  ['no date', { date: '' }, /날짜를 골라/, 'date'],
  ['a day gone by', { date: '2026-11-20' }, /지난 날/, 'date'],
  ['a Saturday', { date: '2027-01-02' }, /토요일/, 'date'],
  ['a Saturday with hours', { date: '2027-01-02', how: 'hours' }, /토요일/, 'date'],
  ['no time', { how: 'hours', opensAt: '열 시' }, /10:00처럼/, 'hours'],
  ['no pre-market time', { how: 'hours', preMarketAt: '-' }, /10:00처럼/, 'hours'],
  ['too short', { how: 'hours', closesAt: '10:30' }, /한 시간/, 'hours'],
])('%s is refused in words, at the field that is wrong', (_, change, says, at) =>
  expect(typed(change)).toEqual({ problem: expect.stringMatching(says), at }),
)

test.each(['closed', 'normal', LATE, { ...LATE, preMarketAt: 28_800 }] as const)(
  'a day that is typed over is the same until it is changed: %j',
  (is) => expect(typedDay(draftOf('20270104', is), TODAY)).toEqual({ day: '20270104', is }),
)

const day = (change: Partial<CalendarDay> = {}): CalendarDay => ({
  day: '20270104',
  is: LATE,
  source: 'shipped',
  correctedBy: null,
  ...change,
})
const correctedBy = { by: 'boss@digger.test', at: '2026-11-20T10:00:00.000+09:00' }

test('each day says who says so; only an operator’s is taken back', () => {
  expect(sourceText(day())).toBe('Digger에 들어 있는 날')
  expect(sourceText(day({ source: 'broker' }))).toBe('증권사가 알려 준 날')
  expect(sourceText(day({ source: 'operator', otherwise: 'closed', correctedBy }))).toBe(
    '고친 날 (boss@digger.test, 26-11-20 10:00:00) · 고치지 않으면 휴장',
  )
  const days = [day(), day({ day: '20270105', source: 'operator', otherwise: 'normal', correctedBy })]
  const html = renderToStaticMarkup(<CalendarDays days={days} onEdit={nothing} onTakeBack={nothing} />)
  expect(html).toContain('2027-01-04 (월)')
  expect(html).toContain('10:00~15:30, 프리마켓 없음')
  expect(html.match(/고친 것 지우기<\/button>/g)).toHaveLength(1)
})

const show = (change: Partial<Reply<'calendar'>>) =>
  renderToStaticMarkup(<Notices calendar={{ hours: 'krx', missingYear: null, days: [], ...change }} />)

test('a year without days is missed in words', () => {
  expect(show({})).toBe('')
  expect(show({ missingYear: 2028 })).toContain('2028년 휴장일이 아직 없습니다.')
  expect(show({ hours: 'always' })).toContain('늘 열려 있어')
})
