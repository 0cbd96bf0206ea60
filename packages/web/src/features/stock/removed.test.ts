import type { Reply, Stock } from '@digger/contract'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ReadKey } from '../../api/read.ts'
import { newStock } from './draft.ts'
import { applyEvent } from '../../live/applyEvent.ts'

const stock = (code: string, change: Partial<Stock> = {}): Stock => ({
  ...newStock('u1', code),
  version: 7,
  updatedAt: '2026-11-21T10:00:00+09:00',
  ...change,
})
const addedAgain = stock('005930', { version: 1, sellPercent: 9, updatedAt: '2026-11-22T10:00:00+09:00' })
const removed = { kind: 'removed', code: '005930' } as const
const list: ReadKey = ['stocks', { userId: 'user' }, {}]
const balance: ReadKey = ['balance', { userId: 'user' }, {}]
const single: ReadKey = ['stock', { userId: 'user', code: '005930' }, {}]
const trades: ReadKey = ['trades', { userId: 'user', code: '005930' }, {}]
const others: ReadKey = ['stocks', { userId: 'u2' }, {}]
const readNone = () => Promise.reject(new Error('none'))

test('a deleted stock leaves every list at once, and they are read again', () => {
  const client = new QueryClient()
  const both = [stock('005930'), stock('000660')]
  client.setQueryData(list, both)
  client.setQueryData(others, both)
  client.setQueryData(trades, [])
  client.setQueryData(balance, { depositAmount: 1, stockBuyAmount: 2, list: both })
  applyEvent(client, 'user', removed)
  expect(client.getQueryData<Stock[]>(list)?.map(({ code }) => code)).toEqual(['000660'])
  expect(client.getQueryData<Reply<'balance'>>(balance)?.list.map(({ code }) => code)).toEqual(['000660'])
  expect(client.getQueryData(others)).toBe(both)
  const stale = [list, balance, trades, others].map((key) => client.getQueryState(key)?.isInvalidated)
  expect(stale).toEqual([true, true, true, false])
})

test('the page of a deleted stock reads it again and says that it is gone, until it is added again', async () => {
  const client = new QueryClient()
  client.setQueryData(single, stock('005930'))
  const page = new QueryObserver(client, { queryKey: single, queryFn: readNone, retry: false, staleTime: 10_000 })
  const leave = page.subscribe(() => undefined)
  applyEvent(client, 'user', removed)
  await expect.poll(() => page.getCurrentResult()).toMatchObject({ status: 'error', data: undefined })
  applyEvent(client, 'user', { kind: 'stocks', stocks: [addedAgain] })
  expect(client.getQueryData(single)).toEqual(addedAgain)
  leave()
})

test('a stock that was added again replaces the deleted one, although it starts at version 1', () => {
  const client = new QueryClient()
  client.setQueryData(list, [stock('005930')])
  applyEvent(client, 'user', { kind: 'stocks', stocks: [addedAgain] })
  expect(client.getQueryData(list)).toEqual([addedAgain])
})
