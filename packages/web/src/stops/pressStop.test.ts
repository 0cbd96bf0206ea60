import { afterEach, describe, expect, test, vi } from 'vitest'
import { call } from '../api/call.ts'
import { Problem } from '../api/problem.ts'
import { countOwnOrders, pressStop, stopTokenIn } from './pressStop.ts'

const TOKEN = `aB3-_${'x'.repeat(38)}`
/** Long enough for a reply that is there, and short for one that never comes, ms. */
const SHORT_MS = 30

type Fetch = (url: string, init: RequestInit) => Promise<Response>
const answer =
  (status: number, body: unknown): Fetch =>
  async () =>
    new Response(JSON.stringify(body), { status })
const unreachable: Fetch = async () => Promise.reject(new TypeError('Failed to fetch'))
const page: Fetch = async () => new Response('<html>', { status: 200 })
/** A server that takes the request and says nothing; a browser ends it with the reason of the signal. */
const silent: Fetch = (_url, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
const counted = { automatic: 4, own: 2, elsewhere: 1 }

const press = () =>
  pressStop((signal) => call('liveOrders', { params: { userId: 'u1' } }, { signal, progress: false }), SHORT_MS)

const failureOf = async (press: () => Promise<unknown>): Promise<Problem> =>
  press().then(
    () => expect.unreachable('it was answered'),
    (error: Problem) => error,
  )

afterEach(() => vi.unstubAllGlobals())

test.each([
  [`#${TOKEN}`, TOKEN],
  [`#${TOKEN}.`, TOKEN],
  [`#${TOKEN})`, TOKEN],
  [`#${TOKEN}%20`, TOKEN],
  ['', null],
  ['#', null],
  [TOKEN, null],
  [`#${TOKEN.slice(1)}`, null],
  [`#${TOKEN}x`, null],
  [`#${TOKEN}-`, null],
  [`#${TOKEN.slice(1)}가`, null],
  [`# ${TOKEN}`, null],
])('the secret in %j is %j', (hash, token) => expect(stopTokenIn(hash)).toBe(token))

describe('the number of own orders', () => {
  test('is what the server counts, orders of others left out', async () => {
    const fetch = vi.fn<Fetch>(answer(200, counted))
    vi.stubGlobal('fetch', fetch)
    expect(await countOwnOrders('u1')).toBe(2)
    expect(fetch).toHaveBeenCalledExactlyOnceWith('/api/u1/stop/all', expect.objectContaining({ method: 'GET' }))
  })

  test.each([
    ['a refusal', answer(500, { code: 'INTERNAL', message: '서버 문제' })],
    ['no connection', unreachable],
    ['a gateway’s page', page],
    ['silence', silent],
  ])('is nothing to wait for: %s is 0', async (_name, fetch) => {
    vi.stubGlobal('fetch', fetch)
    expect(await countOwnOrders('u1', SHORT_MS)).toBe(0)
  })
})

describe('a stop', () => {
  test('gives its reply', async () => {
    vi.stubGlobal('fetch', answer(200, counted))
    expect(await press()).toEqual(counted)
  })

  test('that was refused says what the server says, and nothing of pressing again', async () => {
    vi.stubGlobal('fetch', answer(404, { code: 'NOT_FOUND', message: '쓸 수 없는 멈춤 링크입니다.' }))
    expect(await failureOf(press)).toMatchObject({ code: 'NOT_FOUND', message: '쓸 수 없는 멈춤 링크입니다.' })
  })

  test.each([
    ['no connection', unreachable, '서버에 연결할 수 없습니다.'],
    ['silence', silent, '서버의 답이 오지 않습니다.'],
  ])('after %s may be done: it is to be pressed again', async (_name, fetch, text) => {
    vi.stubGlobal('fetch', fetch)
    const failure = await failureOf(press)
    expect(failure).toBeInstanceOf(Problem)
    expect(failure.code).toBe('OFFLINE')
    expect(failure.message).toContain(text)
    expect(failure.message).toContain('다시 눌러 주세요')
    expect(failure.message).toContain('증권사 앱')
  })

  test('that fails in the page itself is a problem with a message, too', async () => {
    const failure = await failureOf(() => pressStop(() => Promise.reject(new RangeError('odd'))))
    expect(failure).toBeInstanceOf(Problem)
    expect(failure.code).toBe('INTERNAL')
  })
})
