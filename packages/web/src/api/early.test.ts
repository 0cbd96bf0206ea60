import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { earlyAnswers, readEarly, takeEarly, takeReady } from './early.ts'

const fetch = vi.fn<(url: string) => Promise<Response>>(async () => new Response('{}'))
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetch)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  fetch.mockClear()
})
const asked = () => fetch.mock.calls.map(([url]) => url)

test('a balance page asks for what it will read, with the query of its address', async () => {
  readEarly('/u2/balance', '?withSavedGain=false')
  expect(asked()).toEqual(['/api/u2/balance?withSavedGain=false', '/api/user/user'])
  expect(await takeEarly('/api/u2/balance?withSavedGain=false')).toBeInstanceOf(Response)
})

test('other pages ask for nothing', () => {
  readEarly('/user/gain', '')
  readEarly('/user/stock/005930/trade', '')
  expect(asked()).toEqual([])
})

test('an answer serves once, and not when it has become old', () => {
  readEarly('/user/balance', '')
  expect(takeEarly('/api/user/user')).toBeDefined()
  expect(takeEarly('/api/user/user')).toBeUndefined()
  vi.advanceTimersByTime(5_000)
  expect(takeEarly('/api/user/balance?withSavedGain=true')).toBeUndefined()
})

test('no answer leaves nothing behind', async () => {
  fetch.mockRejectedValueOnce(new TypeError('offline'))
  readEarly('/user/balance', '')
  await vi.advanceTimersByTimeAsync(0)
  expect(takeEarly('/api/user/balance?withSavedGain=true')).toBeUndefined()
})

test('what was answered before the first picture is there at once, and once; a refusal goes to the read', async () => {
  fetch.mockResolvedValueOnce(new Response('{"depositAmount":7}'))
  fetch.mockResolvedValueOnce(new Response('{"code":"LOGIN_REQUIRED"}', { status: 401 }))
  readEarly('/user/balance', '')
  const balance = '/api/user/balance?withSavedGain=true'
  expect(takeReady(balance)).toBeUndefined()
  await earlyAnswers()
  expect(takeReady(balance)).toEqual({ at: Date.now(), text: '{"depositAmount":7}' })
  expect([takeReady(balance), takeEarly(balance)]).toEqual([undefined, undefined])
  expect(takeReady('/api/user/user')).toBeUndefined()
  expect((await takeEarly('/api/user/user'))?.status).toBe(401)
})

test('the first picture does not wait long for an answer', async () => {
  fetch.mockReturnValueOnce(new Promise(() => {}))
  readEarly('/user/balance', '')
  let drawn = false
  void earlyAnswers().then(() => (drawn = true))
  await vi.advanceTimersByTimeAsync(99)
  expect(drawn).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(drawn).toBe(true)
})
