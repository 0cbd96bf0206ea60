import { expect, test } from 'vitest'
import { createQueryClient } from './read.ts'
import { changeData } from './stockCache.ts'
import type { ReadKey } from './read.ts'

const KEY: ReadKey = ['venues', { userId: 'user' }, {}]
interface Data {
  list: { code: string; price: number; deep: { word: string } }[]
}
const read = (): Data => ({
  list: [
    { code: 'a', price: 1, deep: { word: 'x' } },
    { code: 'b', price: 2, deep: { word: 'y' } },
  ],
})

/** A cache that has read once. */
function cached() {
  const client = createQueryClient()
  client.setQueryData(KEY, read())
  const data = () => client.getQueryData<Data>(KEY)
  const [query] = client.getQueryCache().findAll({ queryKey: KEY })
  if (query === undefined) throw new Error('nothing is cached')
  return { client, query, data }
}

test('a reply that is read again keeps the objects that are equal', () => {
  const { client, data } = cached()
  const before = data()
  client.setQueryData(KEY, read())
  expect(data()).toBe(before)
  client.setQueryData(KEY, { list: [read().list[0], { code: 'b', price: 3, deep: { word: 'y' } }] })
  expect(data()?.list[0]).toBe(before?.list[0])
  expect(data()?.list[1]?.price).toBe(3)
  expect(data()?.list[1]?.deep).toBe(before?.list[1]?.deep)
})

test('a change is put in as it is, and the next reply is compared with it', () => {
  const { client, query, data } = cached()
  const before = data()
  const next: Data = {
    list: read().list.map((one, at) => (at === 0 ? { ...one, price: 9 } : (before?.list[at] ?? one))),
  }
  changeData<Data>(client, query, () => next)
  expect(data()).toBe(next)
  // What the server says afterwards counts again, and shares what is equal.
  client.setQueryData(KEY, read())
  expect(data()?.list[0]?.price).toBe(1)
  expect(data()?.list[1]).toBe(before?.list[1])
})
