import type { Stock } from '@digger/contract'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReadKey } from '../../api/read.ts'
import { ask } from '../../ask/ask.ts'
import { draftOf, newStock } from './draft.ts'
import { saveStock, subscribe } from './saveStock.ts'

const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
beforeEach(() => {
  vi.stubGlobal('fetch', fetch)
  vi.stubGlobal('window', Object.assign(new EventTarget(), { dispatchEvent: () => true }))
})
afterEach(() => {
  vi.unstubAllGlobals()
  fetch.mockReset()
})
const replyWith = (body: unknown) => fetch.mockResolvedValueOnce(new Response(JSON.stringify(body)))

const stock: Stock = { ...newStock('u1', '005930'), version: 3, updatedAt: '2026-11-21T10:00:00+09:00' }
const saved: Stock = { ...stock, version: 4, maxBuyPrice: 80_000, updatedAt: '2026-11-21T10:00:01+09:00' }
const KEYS: readonly ReadKey[] = [
  ['stocks', { userId: 'user' }, { withSavedGain: 'true' }],
  ['adminStocks', { userId: 'u1' }, {}],
  ['balance', { userId: 'user' }, {}],
  ['stock', { userId: 'user', code: '005930' }, {}],
]

function clientWithStock() {
  const client = new QueryClient()
  for (const key of KEYS) {
    const isList = key[0] === 'stocks' || key[0] === 'adminStocks'
    client.setQueryData(key, isList ? [stock] : key[0] === 'balance' ? { depositAmount: 1, list: [stock] } : stock)
  }
  return client
}
const textsOf = (client: QueryClient) => KEYS.map((key) => JSON.stringify(client.getQueryData(key)))

test('a saved stock is everywhere at once, from the reply, and nothing is read again', async () => {
  const client = clientWithStock()
  replyWith(saved)
  expect(await saveStock(client, stock, { ...draftOf(stock), maxBuyPrice: '80,000' })).toEqual(saved)
  for (const text of textsOf(client)) expect(text).toContain('"maxBuyPrice":80000')
  expect(KEYS.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([false, false, false, false])
  expect(fetch).toHaveBeenCalledTimes(1)
})

const refuseWith = (code: string) =>
  fetch.mockResolvedValueOnce(new Response(JSON.stringify({ code, message: code }), { status: 409 }))

test('after a refusal the stock is read again, wherever it is shown', async () => {
  const alert = vi.spyOn(ask, 'alert').mockResolvedValue(null)
  const client = clientWithStock()
  const other: ReadKey = ['stock', { userId: 'user', code: '000660' }, {}]
  client.setQueryData(other, { ...stock, code: '000660' })
  refuseWith('INVALID')
  expect(await saveStock(client, stock, { ...draftOf(stock), maxBuyPrice: '80,000' })).toBeNull()
  expect([...KEYS, other].map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([
    true,
    true,
    false,
    true,
    false,
  ])
  alert.mockRestore()
})

test('after the person leaves the newer values as they are, the stock is read again', async () => {
  const confirm = vi.spyOn(ask, 'confirm').mockResolvedValue(false)
  const client = clientWithStock()
  refuseWith('CONFLICT')
  replyWith({ ...saved, maxBuyPrice: 90_000 })
  expect(await saveStock(client, stock, { ...draftOf(stock), maxBuyPrice: '80,000' })).toBeNull()
  expect(confirm).toHaveBeenCalledTimes(1)
  expect(KEYS.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, false, true])
  confirm.mockRestore()
})

test('a stock that is added is on the page that had none, under the name the page has for its user', async () => {
  const client = new QueryClient()
  const key: ReadKey = ['stock', { userId: 'user', code: '005930' }, { withSavedGain: 'true' }]
  await client.prefetchQuery({ queryKey: key, queryFn: () => Promise.reject(new Error('none')), retry: false })
  const added = newStock('user', '005930')
  replyWith({ ...saved, version: 1 })
  await saveStock(client, added, draftOf(added))
  expect(client.getQueryData(key)).toMatchObject({ userId: 'u1', version: 1 })
})

test('a watched stock follows the reply wherever it is shown', async () => {
  const client = clientWithStock()
  replyWith({ subscribed: true })
  await subscribe(client, stock)
  for (const text of textsOf(client)) expect(text).toContain('"priceSubscribed":true')
})
