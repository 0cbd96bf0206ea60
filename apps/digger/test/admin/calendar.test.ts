import type { Timetables } from '@digger/engine'
import type { Person, ServerFixture } from '@digger/server/testing'
import { startFixture } from '@digger/server/testing/vitest'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run } from './run.ts'

let fixture: ServerFixture
let boss: Person
let timetables: Timetables

beforeEach(async () => {
  fixture = await startFixture()
  timetables = fixture.timetables
  boss = await fixture.addPerson('boss', true)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const LATE = { opensAt: 36_000, closesAt: 55_800, preMarketAt: null }
const set = (...words: readonly string[]) => run(fixture, ['calendar', ...words])
const logOf = async ({ cookie }: Person) =>
  (await fixture.call('GET', '/api/user/audit', { cookie })).json<{ by: string; action: string; detail: string }[]>()

test('a day is set, listed and removed; the running server follows when it looks', async () => {
  expect(await set('20261222', '10:00', '15:30')).toContain('2026-12-22: 10:00~15:30, 프리마켓 없음')
  expect(timetables.current.special.has('20261222')).toBe(false)
  await fixture.services.calendar.look()
  expect(timetables.current.special.get('20261222')).toEqual(LATE)
  expect(await set()).toMatch(
    /2026-12-22\(화\) {2}10:00~15:30, 프리마켓 없음 {2}\[운영자, 2026-11-20; 원래 보통\(09:00~15:30\)\]/,
  )
  expect((await logOf(boss))[0]).toMatchObject({ by: '운영자', detail: '2026-12-22: 10:00~15:30, 프리마켓 없음' })
  expect(await set('20261222', 'remove')).toContain('지웠습니다')
  await fixture.services.calendar.look()
  expect(timetables.current.special.has('20261222')).toBe(false)
})

test('shipped days are listed from today on', async () => {
  const list = await set()
  expect(list).toContain('2026-12-25(금)  휴장  [기본]')
  expect(list).not.toContain('2026-11-19')
})

test.each([
  [['20261222', '10:00'], '쓰는 법'],
  [['20261222', 'open'], '쓰는 법'],
  [['20261222', '10:00', '15:30', '08:00', '09:00'], '쓰는 법'],
  [['20261222', '10:00', '15:30', '-'], '쓰는 법'],
  [['20261222'], '쓰는 법'],
  [['20260231', 'closed'], '달력에 없는'],
  [['1222', 'closed'], '달력에 없는'],
  [['20261121', 'closed'], '토요일과 일요일'],
  [['20261119', 'closed'], '지난 날'],
  [['20261222', '09:00', '15:30', '08:30'], '프리마켓'],
  [['20261222', 'remove'], '고친 것이 없습니다'],
])('%j is refused in words', async (words, says) => {
  await expect(set(...words)).rejects.toThrow(says)
  expect(await fixture.database.db.selectFrom('calendar_day').selectAll().execute()).toEqual([])
})
