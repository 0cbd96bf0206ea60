import { paths } from '@digger/contract/paths'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call, urlOf } from './call.ts'
import { Problem } from './problem.ts'

const comparing = () => expect.hasAssertions()
beforeEach(comparing)

const answer = (status: number, body: unknown) =>
  vi.fn<(url: string, init: RequestInit) => Promise<Response>>(
    async () => new Response(JSON.stringify(body), { status }),
  )
const silent = { progress: false }
afterEach(() => vi.unstubAllGlobals())

test('places go into the path, the rest into the query, nothing empty', () => {
  expect(urlOf('/api/{userId}/stock/{code}', { userId: 'user', code: '005930' })).toBe('/api/user/stock/005930')
  expect(urlOf('/api/{userId}/kis/order', { userId: 'a/b' }, { orderType: '', code: undefined })).toBe(
    '/api/a%2Fb/kis/order',
  )
  expect(urlOf('/x', {}, { withSavedGain: 'true', simulPrice: 100 })).toBe('/x?withSavedGain=true&simulPrice=100')
})

test('the body goes as JSON and the reply comes back', async () => {
  const fetch = answer(200, { diggerAdmin: false })
  vi.stubGlobal('fetch', fetch)
  const reply = await call('login', { body: { email: 'a@b.kr', password: 'x', forceKisLogin: true } }, silent)
  expect(reply).toEqual({ diggerAdmin: false })
  expect(fetch.mock.calls[0]?.[0]).toBe(paths.login[1])
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({
    method: 'POST',
    body: expect.stringContaining('"forceKisLogin":true'),
  })
})

test.each([
  [
    'a refusal with the server’s message',
    async () => new Response('{"code":"STOPPED","message":"멈췄습니다"}', { status: 409 }),
    'STOPPED',
    '멈췄습니다',
  ],
  ['a gateway’s page', async () => new Response('<html>', { status: 502 }), 'INTERNAL', '502'],
  ['no answer', async () => Promise.reject(new TypeError('Failed to fetch')), 'OFFLINE', '연결할 수 없습니다'],
])('%s becomes a problem with a message', async (_name, fetch, code, text) => {
  vi.stubGlobal('fetch', fetch)
  const error: unknown = await call('me', { params: { userId: 'user' } }, silent).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({ code, message: expect.stringContaining(text) })
})

const buy = { params: { userId: 'user', code: '005930' }, body: { amount: 100 } }
const keysOf = (fetch: ReturnType<typeof answer>): unknown[] =>
  fetch.mock.calls.map(([, init]) => new Headers(init.headers).get('idempotency-key'))

test('a press has a key of its own, and keeps it while its reply is lost', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const fetch = answer(200, {})
  fetch.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  fetch.mockResolvedValueOnce(new Response('{}', { status: 429, headers: { 'x-digger-lost-answer': '1' } }))
  vi.stubGlobal('fetch', fetch)
  const [first] = await Promise.all([call('marketBuy', buy, silent), vi.advanceTimersByTimeAsync(60_000)])
  await call('marketBuy', buy, silent)
  vi.useRealTimers()
  const [a, b, c, d] = keysOf(fetch)
  expect([first, a, b, a === d]).toEqual([{}, c, c, false])
  expect(String(a)).toMatch(/^[\w-]{16,64}$/)
})

test('it is not sent on and on, and what has no key is sent once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const fetch = vi.fn<() => Promise<Response>>().mockRejectedValue(new TypeError('Failed to fetch'))
  vi.stubGlobal('fetch', fetch)
  const ends = [call('marketBuy', buy, silent), call('bulkSell', {}, silent)].map((one) =>
    one.catch((error: unknown) => error),
  )
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  expect([await Promise.all(ends), fetch.mock.calls.length]).toMatchObject([
    [{ code: 'OFFLINE' }, { code: 'OFFLINE' }],
    4,
  ])
})
