import type { Reply } from '@digger/contract'
import { isTradingDay, kstInstant } from '@digger/core'
import type { Timetables } from '@digger/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { problemIn } from './request.ts'
import type { Person, ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

let fixture: ServerFixture
let boss: Person
let timetables: Timetables

beforeEach(async () => {
  fixture = await startFixture()
  timetables = fixture.timetables
  boss = await fixture.addPerson('boss', true)
})
afterEach(() => fixture[Symbol.asyncDispose]())

type Calendar = Reply<'calendar'>
const URL = '/api/admin/8017/calendar'
const LATE = { opensAt: 36_000, closesAt: 55_800, preMarketAt: null }
const get = async () => (await fixture.call('GET', URL, { cookie: boss.cookie })).json<Calendar>()
const set = (day: string, is: unknown, cookie = boss.cookie) =>
  fixture.call('PUT', `${URL}/${day}`, { cookie, payload: { is } })
const takeBack = (day: string) => fixture.call('DELETE', `${URL}/${day}`, { cookie: boss.cookie })
const dayOf = ({ days }: Calendar, day: string) => days.find((one) => one.day === day)
const logOf = async ({ cookie }: Person) =>
  (await fixture.call('GET', '/api/user/audit', { cookie })).json<{ by: string; action: string; detail: string }[]>()

describe('over HTTP', () => {
  test('days of this year and the next, with who says so', async () => {
    const reply = await get()
    expect(reply).toMatchObject({ hours: 'krx', missingYear: null })
    expect(dayOf(reply, '20261225')).toEqual({
      day: '20261225',
      is: 'closed',
      source: 'shipped',
      correctedBy: null,
    })
    expect(dayOf(reply, '20270104')).toMatchObject({ is: LATE, source: 'shipped' })
    expect(reply.days.every(({ day }) => day >= '20260101' && day <= '20271231')).toBe(true)
  })

  test('a day that is closed is closed at once, and in the log of everybody whose account trades by it', async () => {
    const owner = await fixture.addPerson('owner')
    const reply = (await set('20261222', 'closed')).json<Calendar>()
    expect(dayOf(reply, '20261222')).toMatchObject({
      is: 'closed',
      source: 'operator',
      otherwise: 'normal',
      correctedBy: { by: boss.email, at: expect.stringContaining('+09:00') },
    })
    expect(isTradingDay('20261222', timetables.current)).toBe(false)
    for (const person of [boss, owner])
      expect((await logOf(person))[0]).toMatchObject({
        by: boss.email,
        action: '거래일 달력',
        detail: '2026-12-22: 휴장',
      })
  })

  test('hours of a day hold, are changed, and are taken back', async () => {
    await set('20261222', LATE)
    expect(timetables.current.special.get('20261222')).toEqual(LATE)
    await set('20261222', { ...LATE, preMarketAt: 28_800 })
    expect(timetables.current.special.get('20261222')?.preMarketAt).toBe(28_800)
    expect(dayOf((await takeBack('20261222')).json<Calendar>(), '20261222')).toBe(undefined)
    expect([...timetables.current.special.keys()]).not.toContain('20261222')
    expect((await logOf(boss))[0]).toMatchObject({ detail: '2026-12-22: 고친 것을 지움' })
    expect(problemIn(await takeBack('20261222'))).toBe('NOT_FOUND')
  })

  test('a shipped day becomes like any other', async () => {
    const reply = (await set('20261225', 'normal')).json<Calendar>()
    expect(dayOf(reply, '20261225')).toMatchObject({ is: 'normal', source: 'operator', otherwise: 'closed' })
    expect(isTradingDay('20261225', timetables.current)).toBe(true)
  })

  test.each([
    ['20261121', 'closed', '토요일과 일요일'],
    ['20261119', 'closed', '지난 날'],
    ['20260231', 'closed', '달력에 없는 날짜'],
    ['20261222', { opensAt: 36_000, closesAt: 36_060, preMarketAt: null }, '한 시간'],
    ['20261222', { opensAt: 36_000 }, ''],
    ['20261222', 'open', ''],
  ])('%s as %j is refused, and nothing is written', async (day, is, says) => {
    const reply = await set(day, is)
    expect(problemIn(reply)).toBe('INVALID')
    expect(reply.json<{ message: string }>().message).toContain(says)
    expect(await fixture.database.db.selectFrom('calendar_day').selectAll().execute()).toEqual([])
  })

  test('only administrators see and change it', async () => {
    const { cookie } = await fixture.addPerson('owner')
    expect(problemIn(await fixture.call('GET', URL, { cookie }))).toBe('FORBIDDEN')
    expect(problemIn(await set('20261222', 'closed', cookie))).toBe('FORBIDDEN')
  })
})

test('a look that finds nothing new leaves the very same timetable', async () => {
  await set('20261222', 'closed')
  const before = timetables.current
  await fixture.services.calendar.look()
  expect(timetables.current).toBe(before)
})

test('from November on the next year is missed, on the page and in the details of /health, which stays well', async () => {
  fixture.clock.advance(kstInstant('20271101', '090000') - fixture.clock.now())
  boss = { ...boss, cookie: await fixture.logIn(boss.email) }
  expect(await get()).toMatchObject({ missingYear: 2028 })
  const reply = await fixture.call('GET', '/health', { cookie: boss.cookie })
  expect([reply.statusCode, reply.json()]).toEqual([200, expect.objectContaining({ ok: true, calendarMissing: 2028 })])
})
