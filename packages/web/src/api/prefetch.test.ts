import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { awaitPrefetched, prefetch, takePrefetched, takePrefetchedText } from './prefetch.ts'

const fetch = vi.fn<(url: string) => Promise<Response>>(async () => new Response('{}'))
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetch)
})
afterEach(() => {
  for (const url of asked()) void takePrefetched(url)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  fetch.mockClear()
})
const asked = () => fetch.mock.calls.map(([url]) => url)

test('a balance page asks for what it will read, with the query of its address', async () => {
  prefetch('/u2/balance', '?withSavedGain=false')
  expect(asked()).toEqual(['/api/u2/balance?withSavedGain=false', '/api/user/user'])
  expect(await takePrefetched('/api/u2/balance?withSavedGain=false')).toBeInstanceOf(Response)
})

test('other pages ask for nothing', () => {
  prefetch('/user/gain', '')
  prefetch('/user/stock/005930/trade', '')
  expect(asked()).toEqual([])
})

test('an answer serves once, and not when it has become old', () => {
  prefetch('/user/balance', '')
  expect(takePrefetched('/api/user/user')).toBeDefined()
  expect(takePrefetched('/api/user/user')).toBeUndefined()
  vi.advanceTimersByTime(5_000)
  expect(takePrefetched('/api/user/balance?withSavedGain=true')).toBeUndefined()
})

test('no answer leaves nothing behind', async () => {
  fetch.mockRejectedValueOnce(new TypeError('offline'))
  prefetch('/user/balance', '')
  await vi.advanceTimersByTimeAsync(0)
  expect(takePrefetched('/api/user/balance?withSavedGain=true')).toBeUndefined()
})

test('what was answered before the first picture is there at once, and once; a refusal goes to the read', async () => {
  fetch.mockResolvedValueOnce(new Response('{"depositAmount":7}'))
  fetch.mockResolvedValueOnce(new Response('{"code":"LOGIN_REQUIRED"}', { status: 401 }))
  prefetch('/user/balance', '')
  const balance = '/api/user/balance?withSavedGain=true'
  expect(takePrefetchedText(balance)).toBeUndefined()
  await awaitPrefetched()
  expect(takePrefetchedText(balance)).toEqual({ at: Date.now(), text: '{"depositAmount":7}' })
  expect([takePrefetchedText(balance), takePrefetched(balance)]).toEqual([undefined, undefined])
  expect(takePrefetchedText('/api/user/user')).toBeUndefined()
  expect((await takePrefetched('/api/user/user'))?.status).toBe(401)
})

test('the first picture does not wait long for an answer', async () => {
  fetch.mockReturnValueOnce(new Promise(() => {}))
  prefetch('/user/balance', '')
  let drawn = false
  void awaitPrefetched().then(() => (drawn = true))
  await vi.advanceTimersByTimeAsync(99)
  expect(drawn).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(drawn).toBe(true)
})
