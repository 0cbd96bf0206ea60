import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { CachedResponse, preferredEncoding, ResponseCache } from './response-cache.ts'

const BOOK = {}
let cache: ResponseCache
beforeEach(() => (cache = new ResponseCache()))

const found = (key: string, validators: readonly unknown[]) => cache.find(key, validators)?.body.toString() ?? null

describe('a response is found', () => {
  test('while its validators are the very same, and counted', () => {
    cache.store('list', [BOOK, 1, 'active'], 'text')
    expect(found('list', [BOOK, 1, 'active'])).toBe('text')
    expect(cache.hits).toBe(1)
  })

  test.each([
    ['another object that looks the same', [{}, 1]],
    ['another number', [BOOK, 2]],
    ['one fewer', [BOOK]],
    ['one more', [BOOK, 1, 1]],
    ['another order', [1, BOOK]],
  ])('not with %s', (_what, validators) => {
    cache.store('list', [BOOK, 1], 'text')
    expect(found('list', validators)).toBeNull()
    expect(cache.hits).toBe(0)
  })

  test('newest first: what is stored under a key replaces what was there', () => {
    cache.store('list', [1], 'old')
    cache.store('list', [2], 'new')
    expect([found('list', [1]), found('list', [2])]).toEqual([null, 'new'])
  })

  test('whatever it was made of: a string, bytes, or a buffer of the serialiser', () => {
    cache.store('string', [1], '주식')
    cache.store('bytes', [1], Buffer.from('주식'))
    cache.store('buffer', [1], new TextEncoder().encode('주식').buffer)
    expect(['string', 'bytes', 'buffer'].map((key) => found(key, [1]))).toEqual(['주식', '주식', '주식'])
  })

  test('an empty one too', () => {
    cache.store('empty', [1], '')
    expect(found('empty', [1])).toBe('')
  })
})

describe('memory is bounded', () => {
  test('by the number of responses: the one used longest ago goes', () => {
    cache.store('first', [1], 'a')
    cache.store('second', [1], 'a')
    for (let n = 0; n < 998; n++) cache.store(`other ${n}`, [1], 'a')
    expect(found('first', [1])).toBe('a')
    cache.store('one more', [1], 'a')
    expect([found('first', [1]), found('second', [1])]).toEqual(['a', null])
  })

  test('by bytes: large ones make room for each other', () => {
    const large = Buffer.alloc(10 * 2 ** 20)
    for (const key of ['a', 'b', 'c', 'd']) cache.store(key, [1], large)
    expect(['a', 'b', 'c', 'd'].map((key) => found(key, [1]) !== null)).toEqual([false, true, true, true])
  })

  test('by the length of an address: a long one is answered and not stored', () => {
    const long = `user /api/${'x'.repeat(200)}`
    expect(cache.store(long, [1], 'text').body.toString()).toBe('text')
    expect(found(long, [1])).toBeNull()
  })
})

describe('one response', () => {
  const response = new CachedResponse([], Buffer.from('값'.repeat(2_000)))

  test('has the same weak ETag for the same body, another for another', () => {
    expect(response.etag).toMatch(/^W\/"[\w-]{22}"$/)
    expect(new CachedResponse([1], Buffer.from(response.body)).etag).toBe(response.etag)
    expect(new CachedResponse([], Buffer.from('값')).etag).not.toBe(response.etag)
  })

  test('is compressed once for each encoding', async () => {
    expect(response.compressed('br')).toBe(response.compressed('br'))
    expect(brotliDecompressSync(await response.compressed('br'))).toEqual(response.body)
    expect(gunzipSync(await response.compressed('gzip'))).toEqual(response.body)
  })
})

test.each([
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['gzip; q=0.0, br; q=0', null],
  ['deflate', null],
  ['', null],
])('of "%s" the encoding is %s', (accepted, encoding) => expect(preferredEncoding(accepted)).toBe(encoding))

test('replies are made one a turn; who asks the same meanwhile gets the one that was made', async () => {
  const cache = new ResponseCache()
  const account = {}
  const done: string[] = []
  const make = (key: string) =>
    cache
      .make(
        key,
        () => [account],
        async () => {
          done.push(key)
          return key
        },
      )
      .then(({ body }) => body.toString())
  const all = Promise.all(['a', 'b', 'b', 'c'].map(make))
  setImmediate(() => done.push('socket'))
  expect(await all).toEqual(['a', 'b', 'b', 'c'])
  expect(done.filter((key) => key !== 'socket')).toEqual(['a', 'b', 'c'])
  expect(done.indexOf('socket')).toBeLessThan(3)
})
