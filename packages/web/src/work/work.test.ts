import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Problem } from '../api/problem.ts'
import { ask } from '../ask/ask.ts'
import { forgetWorks, openWorks, runWork, type Outcome } from './work.ts'
import { secondsSince, secondsText } from './workText.ts'

const place = { pathname: '/u1/stock/005930/trade', search: '?withOldTrade=true' }
const GOOD: Outcome = { ok: true, title: 'clear', text: '삼성전자 장부를 맞췄습니다.' }

beforeEach(() => {
  vi.stubGlobal('location', { ...place })
  vi.spyOn(ask, 'alert').mockResolvedValue(null)
})
afterEach(() => {
  forgetWorks()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const given = (end: Promise<Outcome | null>) => runWork({ key: 'fix', name: '삼성전자 잔고 맞춤', work: () => end })
const leave = () => vi.stubGlobal('location', { pathname: '/u1/balance', search: '' })

test('where it was begun the result is an alert, and no note stays', async () => {
  const end = Promise.withResolvers<Outcome>()
  const run = given(end.promise)
  expect(openWorks()).toMatchObject([{ name: '삼성전자 잔고 맞춤', outcome: null }])
  end.resolve(GOOD)
  await run
  expect(ask.alert).toHaveBeenCalledExactlyOnceWith('clear', GOOD.text)
  expect(openWorks()).toEqual([])
})

test.each([
  ['a success', (end: PromiseWithResolvers<Outcome>) => end.resolve(GOOD), GOOD],
  [
    'a failure',
    (end: PromiseWithResolvers<Outcome>) => end.reject(new Problem('BUSY', '체결이 이어지는 중입니다.')),
    { ok: false, title: '하지 못했습니다', text: '체결이 이어지는 중입니다.' },
  ],
])('elsewhere %s is a note that leads back, and no alert', async (_name, settle, outcome) => {
  const end = Promise.withResolvers<Outcome>()
  const run = given(end.promise)
  leave()
  settle(end)
  await run
  expect(ask.alert).not.toHaveBeenCalled()
  expect(openWorks()).toMatchObject([{ href: '/u1/stock/005930/trade?withOldTrade=true', outcome }])
})

test('a failure where it was begun is an alert like others', async () => {
  await given(Promise.reject(new Problem('BUSY', '체결이 이어지는 중입니다.')))
  expect(ask.alert).toHaveBeenCalledExactlyOnceWith('체결이 이어지는 중입니다.')
  expect(openWorks()).toEqual([])
})

test('the same task is not begun twice, and begun anew it takes the place of its old note', async () => {
  const end = Promise.withResolvers<Outcome>()
  const run = given(end.promise)
  const again = vi.fn<() => Promise<Outcome>>(async () => GOOD)
  await runWork({ key: 'fix', name: 'x', work: again })
  expect(again).not.toHaveBeenCalled()
  leave()
  end.resolve(GOOD)
  await run
  expect(openWorks()).toHaveLength(1)
  await given(Promise.resolve(null))
  expect(openWorks()).toEqual([])
})

test('what ends after the log-out is nobody’s', async () => {
  const end = Promise.withResolvers<Outcome>()
  const run = given(end.promise)
  leave()
  forgetWorks()
  end.resolve(GOOD)
  await run
  expect(openWorks()).toEqual([])
})

test.each([
  [0, 19_999, 19],
  [0, 20_000, 20],
  [5_000, 4_000, 0],
])('from %d to %d ms are %d s', (from, to, seconds) => expect(secondsSince(from, to)).toBe(seconds))

test.each([
  [0, '0초'],
  [59, '59초'],
  [125, '2분 5초'],
])('%d s read %s', (seconds, text) => expect(secondsText(seconds)).toBe(text))
