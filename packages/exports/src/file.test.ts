import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fileHeaders, streamOf } from './file.ts'

test('a browser saves the Korean name, what is older the plain one, and nothing on the way stores it', () => {
  expect(fileHeaders('text/csv; charset=utf-8', 'digger-gain.csv', '디거_실현 손익.csv')).toEqual({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition':
      'attachment; filename="digger-gain.csv"; filename*=UTF-8\'\'%EB%94%94%EA%B1%B0_%EC%8B%A4%ED%98%84%20%EC%86%90%EC%9D%B5.csv',
    'cache-control': 'no-store',
  })
})

/** Parts that say when they end, and how often they were asked for. */
function partsOf(count: number, failAt = Infinity) {
  const seen = { made: 0, over: 0, ended: 0 }
  async function* parts(): AsyncGenerator<string> {
    try {
      for (let n = 0; n < count; n++) {
        if (n === failAt) throw new Error('the database is away')
        seen.made += 1
        yield `${n}\n`
      }
    } finally {
      seen.over += 1
    }
  }
  return { seen, parts: parts(), ended: () => void (seen.ended += 1) }
}

describe('a stream', () => {
  test('has all parts, and says once that it has ended', async () => {
    const { seen, parts, ended } = partsOf(4)
    const stream = await streamOf(parts, ended)
    expect(seen.ended).toBe(0)
    expect(await text(stream)).toBe('0\n1\n2\n3\n')
    await expect.poll(() => seen).toEqual({ made: 4, over: 1, ended: 1 })
  })

  test('of nothing is empty', async () => {
    const { seen, parts, ended } = partsOf(0)
    expect(await text(await streamOf(parts, ended))).toBe('')
    await expect.poll(() => seen.ended).toBe(1)
  })

  test('that fails before its first part is refused as a call, and has ended', async () => {
    const { seen, parts, ended } = partsOf(4, 0)
    await expect(streamOf(parts, ended)).rejects.toThrow('the database is away')
    expect(seen).toEqual({ made: 0, over: 1, ended: 1 })
  })

  test('that fails later breaks off, so that nobody takes it for whole', async () => {
    const { seen, parts, ended } = partsOf(4, 2)
    const stream = await streamOf(parts, ended)
    await expect(text(stream)).rejects.toThrow('the database is away')
    await expect.poll(() => seen).toEqual({ made: 2, over: 1, ended: 1 })
  })

  test.each([
    ['before it was read', 0],
    ['in the midst of it', 2],
  ])('that the browser leaves %s ends its parts', async (_name, take) => {
    const { seen, parts, ended } = partsOf(1_000)
    const stream = await streamOf(parts, ended)
    const reader = stream[Symbol.asyncIterator]()
    for (let n = 0; n < take; n++) await reader.next()
    stream.destroy()
    await expect.poll(() => seen).toMatchObject({ over: 1, ended: 1 })
    expect(seen.made).toBeLessThan(100)
  })

  test('is read no faster than it is taken', async () => {
    const { seen, parts, ended } = partsOf(1_000)
    const stream = await streamOf(parts, ended)
    const reader = stream[Symbol.asyncIterator]()
    await reader.next()
    await new Promise((resolve) => setImmediate(resolve))
    // What a stream of objects holds ready.
    expect(seen.made).toBeLessThan(50)
    stream.destroy()
  })

  describe('of which two minutes go by', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
    afterEach(() => void vi.useRealTimers())

    test('without anybody who reads on makes room for others', async () => {
      const { seen, parts, ended } = partsOf(1_000)
      const stream = await streamOf(parts, ended)
      const reader = stream[Symbol.asyncIterator]()
      await reader.next()
      const failed = once(stream, 'error')
      vi.advanceTimersByTime(119_999)
      expect(stream.destroyed).toBe(false)
      vi.advanceTimersByTime(1)
      expect(String(await failed)).toContain('nobody reads')
      await expect.poll(() => seen).toMatchObject({ over: 1, ended: 1 })
    })

    test('while its rows are read goes on', async () => {
      const asked = Promise.withResolvers<void>()
      const found = Promise.withResolvers<void>()
      async function* slow(): AsyncGenerator<string> {
        yield 'first\n'
        asked.resolve()
        await found.promise
        yield 'last\n'
      }
      const read = text(await streamOf(slow(), () => undefined))
      await asked.promise
      vi.advanceTimersByTime(600_000)
      found.resolve()
      expect(await read).toBe('first\nlast\n')
    })
  })
})
