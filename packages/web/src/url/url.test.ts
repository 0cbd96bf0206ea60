import { beforeEach, expect, test } from 'vitest'
import { flagsOf, rangeChips, rangeMenu, withTexts } from './query.ts'
import { pathUserOf } from './user.ts'

const comparing = () => expect.hasAssertions()
beforeEach(comparing)

test('only the texts true and false set a flag; anything else is its default', () => {
  const defaults = { withSavedGain: true, showDetail: false, showOnlyWatch: true }
  expect(flagsOf(new URLSearchParams('withSavedGain=false&showDetail=1&other=true'), defaults)).toEqual({
    withSavedGain: false,
    showDetail: false,
    showOnlyWatch: true,
  })
})

test('changing the query keeps the rest and drops what is empty', () => {
  const old = new URLSearchParams('fromDate=20261101&code=005930')
  expect(withTexts(old, { code: '', toDate: '20261130' }).toString()).toBe('fromDate=20261101&toDate=20261130')
  expect(old.get('code')).toBe('005930')
})

test('the first part of the path is the user, and its absence means me', () => {
  expect(['/u2/balance', '/user/stock/005930/trade', '/'].map(pathUserOf)).toEqual(['u2', 'user', 'user'])
})

test('previous and next go from what is shown, "this" from today', () => {
  const went: string[] = []
  const menu = rangeMenu({ fromDate: '20260101', toDate: '20260131' }, '20261121', ({ fromDate, toDate }) =>
    went.push(`${fromDate}-${toDate}`),
  )
  for (const { func } of menu) func()
  expect(menu.map(({ name }) => name)).toEqual(['이번 달', '지난달', '다음 달', '올해', '지난해', '다음 해'])
  expect(went).toEqual([
    '20261101-20261130',
    '20251201-20251231',
    '20260201-20260228',
    '20260101-20261231',
    '20250101-20251231',
    '20270101-20271231',
  ])
})

/** What is on while a range is shown. */
const shown = (fromDate: string, toDate: string) =>
  rangeChips({ fromDate, toDate }, '20261121', () => undefined).chips.flatMap(({ name, on }) => (on ? [name] : []))

test('chips of ranges count from today, and the one that is shown is on', () => {
  const went: string[] = []
  const { chips } = rangeChips({ fromDate: '20251001', toDate: '20251031' }, '20261121', ({ fromDate, toDate }) =>
    went.push(`${fromDate}-${toDate}`),
  )
  for (const { func } of chips) func()
  expect(went).toEqual(['20261101-20261130', '20261001-20261031', '20260101-20261231', '20250101-20251231'])
  expect(shown('20261101', '20261130')).toEqual(['이번 달'])
  expect(shown('20250101', '20251231')).toEqual(['지난해'])
  expect(shown('20251001', '20251031')).toEqual([])
})
