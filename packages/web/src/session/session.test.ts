import { expect, test } from 'vitest'
import { environmentOf } from './environment.ts'
import { rangeMenu } from './rangeMenu.ts'
import { strictest } from './stops.ts'
import { flagsOf, withTexts } from './view.ts'
import { cookie } from './cookie.ts'
import { pathUserOf } from './viewer.ts'

test('only the words true and false move a flag; anything else is its default', () => {
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

test('cookies are read by their whole name', () => {
  const all = 'adminEmail=a%40b.kr; email=c%40d.kr; diggerAdmin=true'
  expect(cookie('email', all)).toBe('c@d.kr')
  expect(cookie('diggerAdmin', all)).toBe('true')
  expect(cookie('Email', all)).toBeNull()
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

test.each([
  [{ ok: false, env: 'real' }, 'real'],
  [{ ok: true, env: 'elsewhere' }, null],
  [{ ok: true }, null],
  ['<html>', null],
  [null, null],
])('the health %j tells the environment %s', (health, env) => expect(environmentOf(health)).toBe(env))

test('the strictest stop rules', () => {
  expect(strictest('active', 'reduce')).toBe('reduce')
  expect(strictest('halt', 'active')).toBe('halt')
  expect(strictest('active', 'active')).toBe('active')
})
