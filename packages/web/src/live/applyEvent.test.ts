import type { LiveEvent, Stock } from '@digger/contract'
import { QueryClient } from '@tanstack/react-query'
import type { ReadKey } from '../api/read.ts'
import { describe, expect, test } from 'vitest'
import { newer } from '../api/stockCache.ts'
import { applyEvent, priced } from './applyEvent.ts'

const stock = (code: string, change: Partial<Stock> = {}): Stock => ({
  userId: 'u1',
  code,
  name: code,
  nxt: false,
  kind: 'stock',
  price: 70_000,
  priceAt: '2026-11-21T10:00:00+09:00',
  basePrice: 69_000,
  today: { realised: 0, realisedNet: 0, open: 0, heldBefore: 2, boughtAmount: 0 },
  usedAmount: 0,
  buyingAmount: 0,
  remainCount: 2,
  remainAmount: 140_000,
  accGainAmount: 0,
  gainAmount: 0,
  gainRatio: 0,
  maxBuyPrice: 75_000,
  maxBuyAmount: 10_000_000,
  buyUnitPrice: 200_000,
  lastBuyPrice: 70_000,
  recoverLastBuyPrice: true,
  autoBuy: true,
  buyPercent: -1,
  autoSell: true,
  sellPercent: 1.2,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
  priceSubscribed: true,
  version: 3,
  nextBuyPrice: 69_300,
  nextSellPrice: 70_900,
  reasons: [],
  due: null,
  stop: 'active',
  blocked: null,
  frozen: null,
  kept: 0,
  takenOver: { count: 0, amount: 0 },
  expected: null,
  announced: null,
  statuses: [],
  statusesAt: null,
  checkedAt: null,
  updatedAt: '2026-11-21T10:00:00+09:00',
  ...change,
})
const at = '2026-11-21T10:00:01+09:00'
/** Of the day. */
const base = 69_000
const list: ReadKey = ['stocks', { userId: 'user' }, { withSavedGain: 'true' }]

describe('a price', () => {
  test('renews its own stock only; every other object stays the same one', () => {
    const client = new QueryClient()
    const before = [stock('005930'), stock('000660')]
    client.setQueryData(list, before)
    applyEvent(client, 'user', { kind: 'prices', prices: [{ code: '000660', price: 71_000, at, base }] })
    const after = client.getQueryData<Stock[]>(list)
    expect(after?.[0]).toBe(before[0])
    expect(after?.[1]).toMatchObject({ price: 71_000, priceAt: at })
  })
  test('that changes nothing leaves the list itself untouched', () => {
    const client = new QueryClient()
    const before = [stock('005930')]
    client.setQueryData(list, before)
    const price = { code: '005930', price: 70_000, at: '2026-11-21T10:00:00+09:00', base }
    applyEvent(client, 'user', { kind: 'prices', prices: [price, { code: 'OTHER1', price: 5, at, base }] })
    expect(client.getQueryData(list)).toBe(before)
  })
  test('leaves a balance as stale as an event about money made it, and as old as its reading', () => {
    const client = new QueryClient()
    const key: ReadKey = ['balance', { userId: 'user' }, {}]
    const readAt = Date.now() - 60_000
    const tick = (code: string, price: number) =>
      applyEvent(client, 'user', { kind: 'prices', prices: [{ code, price, at, base }] })
    const balance = { depositAmount: 1, stockBuyAmount: 2, list: [stock('005930')] }
    client.setQueryData(key, balance, { updatedAt: readAt })
    tick('OTHER1', 5)
    tick('005930', 71_000)
    expect(client.getQueryState(key)).toMatchObject({ isInvalidated: false, dataUpdatedAt: readAt })
    applyEvent(client, 'user', { kind: 'deposit' })
    tick('OTHER1', 6)
    expect(client.getQueryState(key)).toMatchObject({ isInvalidated: true, dataUpdatedAt: readAt })
    tick('005930', 72_000)
    expect(client.getQueryState(key)).toMatchObject({ isInvalidated: true, dataUpdatedAt: readAt })
    expect(client.getQueryData(key)).toMatchObject({ list: [{ price: 72_000 }] })
  })
  test('that comes while a stale balance is read leaves it stale when that reading is given up', async () => {
    const client = new QueryClient()
    const key: ReadKey = ['balance', { userId: 'user' }, {}]
    client.setQueryData(key, { depositAmount: 1, stockBuyAmount: 2, list: [stock('005930')] })
    applyEvent(client, 'user', { kind: 'deposit' })
    void client.prefetchQuery({ queryKey: key, queryFn: () => new Promise(() => undefined) })
    applyEvent(client, 'user', { kind: 'prices', prices: [{ code: '005930', price: 71_000, at, base }] })
    await client.cancelQueries({ queryKey: key })
    expect(client.getQueryState(key)).toMatchObject({ isInvalidated: true, fetchStatus: 'idle' })
  })
  test('of one user never reaches another, nor a simulated picture', () => {
    const client = new QueryClient()
    const simulated: ReadKey = ['stock', { userId: 'user', code: '005930' }, { simulPrice: 60_000 }]
    const other: ReadKey = ['stock', { userId: 'u2', code: '005930' }, {}]
    const own: ReadKey = ['stock', { userId: 'user', code: '005930' }, {}]
    for (const key of [simulated, other, own]) client.setQueryData(key, stock('005930'))
    applyEvent(client, 'user', { kind: 'prices', prices: [{ code: '005930', price: 71_000, at, base }] })
    const prices = [simulated, other, own].map((key) => client.getQueryData<Stock>(key)?.price)
    expect(prices).toEqual([70_000, 70_000, 71_000])
  })
  test('reaches the balance', () => {
    const client = new QueryClient()
    const key: ReadKey = ['balance', { userId: 'user' }, {}]
    client.setQueryData(key, { depositAmount: 1, stockBuyAmount: 2, list: [stock('005930')] })
    applyEvent(client, 'user', { kind: 'prices', prices: [{ code: '005930', price: 71_000, at, base }] })
    expect(client.getQueryData(key)).toMatchObject({ depositAmount: 1, list: [{ price: 71_000 }] })
  })
  test('brings the base of a new day, and takes away one that is not known any more', () => {
    const price = { code: '005930', price: 70_000, at: '2026-11-21T10:00:00+09:00' }
    const shown = (known: number | null) => priced(stock('005930'), new Map([['005930', { ...price, base: known }]]))
    expect([shown(70_500).basePrice, shown(null).basePrice]).toEqual([70_500, null])
  })
  test('keeps the object when code or price differ not', () => {
    const one = stock('005930')
    expect(priced(one, new Map())).toBe(one)
  })
})

test('a stock that arrives late neither rolls settings nor the price back', () => {
  const now = stock('005930', { version: 4, price: 71_000, priceAt: at })
  expect(newer(now, stock('005930', { version: 3 }))).toBe(now)
  expect(newer(now, stock('005930', { version: 5, maxBuyPrice: 80_000 }))).toMatchObject({
    version: 5,
    maxBuyPrice: 80_000,
    price: 71_000,
    priceAt: at,
  })
})

test.each([
  ['trades', { kind: 'trades', code: '005930', trades: null }, 'trades'],
  ['a lot', { kind: 'trades', code: '005930', trades: [] }, 'gain'],
  ['orders', { kind: 'orders' }, 'orders'],
  ['money', { kind: 'deposit' }, 'balance'],
  ['a frozen stock', { kind: 'stocks', stocks: [stock('005930')] }, 'adjustment'],
  ['a sold stock', { kind: 'stocks', stocks: [stock('005930', { remainCount: 0 })] }, 'balance'],
] satisfies [string, LiveEvent, ReadKey[0]][])(
  'an event about %s marks what shows them as out of date',
  (_name, event, call) => {
    const client = new QueryClient()
    const mine: ReadKey = [call, { userId: 'user', code: '005930' }, {}]
    const others: ReadKey = [call, { userId: 'u2', code: '005930' }, {}]
    client.setQueryData(mine, call === 'balance' ? { depositAmount: 0, stockBuyAmount: 0, list: [] } : [])
    client.setQueryData(others, call === 'balance' ? { depositAmount: 0, stockBuyAmount: 0, list: [] } : [])
    applyEvent(client, 'user', event)
    expect(client.getQueryState(mine)?.isInvalidated).toBe(true)
    expect(client.getQueryState(others)?.isInvalidated).toBe(false)
  },
)

const changed = (change: Partial<Stock>): LiveEvent => ({ kind: 'stocks', stocks: [stock('005930', change)] })

describe('a stock that was saved elsewhere', () => {
  const single: ReadKey = ['stock', { userId: 'user', code: '005930' }, {}]
  const trades: ReadKey = ['trades', { userId: 'user', code: '005930' }, {}]

  test('is put in place of the older copy, and nothing is read again', () => {
    const client = new QueryClient()
    for (const key of [list, trades]) client.setQueryData(key, key === list ? [stock('005930')] : [])
    applyEvent(client, 'user', changed({ version: 4, maxBuyPrice: 80_000 }))
    expect(client.getQueryData<Stock[]>(list)?.[0]).toMatchObject({ version: 4, maxBuyPrice: 80_000 })
    expect([list, trades].map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([false, false])
  })
  test('with another target has its trades read again, whose prices it moved', () => {
    const client = new QueryClient()
    client.setQueryData(single, stock('005930'))
    client.setQueryData(trades, [])
    applyEvent(client, 'user', changed({ version: 4, sellPercent: 2 }))
    expect(client.getQueryState(trades)?.isInvalidated).toBe(true)
  })
  test('keeps the price that a page simulates', () => {
    const client = new QueryClient()
    const simulated: ReadKey = ['stock', { userId: 'user', code: '005930' }, { simulPrice: 60_000 }]
    client.setQueryData(simulated, stock('005930', { price: 60_000 }))
    applyEvent(client, 'user', changed({ version: 4, maxBuyPrice: 80_000 }))
    expect(client.getQueryData(simulated)).toMatchObject({ price: 60_000, maxBuyPrice: 80_000 })
  })
  test('appears on a page that had found none', async () => {
    const client = new QueryClient()
    await client.prefetchQuery({ queryKey: single, queryFn: () => Promise.reject(new Error('none')), retry: false })
    applyEvent(client, 'user', changed({}))
    expect(client.getQueryData(single)).toMatchObject({ code: '005930' })
  })
  test('leaves and joins the list of watched stocks by reading it again, once', () => {
    const client = new QueryClient()
    const watched: ReadKey = ['stocks', { userId: 'user' }, { showOnlyWatch: 'true' }]
    const all: ReadKey = ['stocks', { userId: 'user' }, { showOnlyWatch: 'false' }]
    for (const key of [watched, all]) client.setQueryData(key, [stock('005930')])
    const stale = () => [watched, all].map((key) => client.getQueryState(key)?.isInvalidated)
    applyEvent(client, 'user', changed({ priceSubscribed: true }))
    expect(stale()).toEqual([false, false])
    applyEvent(client, 'user', changed({ priceSubscribed: false }))
    expect(stale()).toEqual([true, false])
    client.setQueryData(watched, [])
    applyEvent(client, 'user', changed({ priceSubscribed: false }))
    expect(stale()).toEqual([false, false])
    applyEvent(client, 'user', changed({ priceSubscribed: true }))
    expect(stale()).toEqual([true, false])
  })
})

test('a copy from before a fill never takes what was bought away', () => {
  const now = stock('005930', { remainCount: 3, updatedAt: '2026-11-21T10:00:05+09:00' })
  expect(newer(now, stock('005930', { remainCount: 2 }))).toBe(now)
})
