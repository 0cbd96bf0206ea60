import type { LiveEvent, Trade } from '@digger/contract'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { applyEvent } from './applyEvent.ts'
import type { ReadKey } from '../api/read.ts'

const CODE = '005930'
const trade = (id: number, change: Partial<Trade> = {}): Trade => ({
  id,
  buyDateTime: `2026-11-21T10:00:0${id}+09:00`,
  buyCount: 2,
  buyPrice: 70_000,
  sellDateTime: null,
  sellPrice: null,
  gainAmount: null,
  gainRatio: null,
  netGainAmount: null,
  buying: false,
  takenOver: false,
  sellOrderId: null,
  targetPrice: null,
  ...change,
})
const sold = (id: number) => trade(id, { sellDateTime: '2026-11-21T11:00:00+09:00', sellPrice: 71_000 })
const key = (query: ReadKey[2] = {}, userId = 'user', code = CODE): ReadKey => ['trades', { userId, code }, query]
const open = key({ withOldTrade: 'false' })
const all = key({ withOldTrade: 'true' })
const event = (...trades: Trade[]): LiveEvent => ({ kind: 'trades', code: CODE, trades })
const anew: LiveEvent = { kind: 'trades', code: CODE, trades: null }

function clientWith(trades: Trade[], ...keys: ReadKey[]): QueryClient {
  const client = new QueryClient()
  for (const one of keys) client.setQueryData(one, trades, { updatedAt: 1_000 })
  return client
}
const ids = (client: QueryClient, list: ReadKey) => client.getQueryData<Trade[]>(list)?.map(({ id }) => id)
/** Until what follows from an event has been started. */
const settled = () => new Promise<void>((resolve) => setTimeout(resolve))

test('a bought lot is put in its place, newest buy first, then the higher number; nothing is read again', async () => {
  const client = clientWith([trade(5), trade(1)], open, all)
  const sameTime = trade(6, { buyDateTime: trade(5).buyDateTime })
  applyEvent(client, 'user', event(trade(3), sameTime))
  await settled()
  for (const list of [open, all]) {
    expect(ids(client, list)).toEqual([6, 5, 3, 1])
    expect(client.getQueryState(list)).toMatchObject({ isInvalidated: false, dataUpdatedAt: 1_000 })
  }
})

test('a lot that changed takes the place of its older copy', () => {
  const client = clientWith([trade(2), trade(1)], open)
  applyEvent(client, 'user', event(trade(1, { sellOrderId: 7, buyCount: 1 })))
  expect(client.getQueryData(open)).toEqual([trade(2), trade(1, { sellOrderId: 7, buyCount: 1 })])
})

test('a sold lot leaves the list of open ones, and stays as a past one where those are shown', () => {
  const client = clientWith([trade(2), trade(1)], open, all, key())
  applyEvent(client, 'user', event(sold(2)))
  expect([open, key()].map((list) => ids(client, list))).toEqual([[1], [1]])
  expect(client.getQueryData(all)).toEqual([sold(2), trade(1)])
})

test('lists of other stocks and people, and such as nobody loaded, stay as they are', async () => {
  const others = [key({}, 'a1'), key({}, 'user', '000660')]
  const client = clientWith([trade(1)], ...others)
  applyEvent(client, 'user', event(trade(2)))
  applyEvent(client, 'user', anew)
  await settled()
  for (const list of others)
    expect([ids(client, list), client.getQueryState(list)?.isInvalidated]).toEqual([[1], false])
  expect(client.getQueryData(open)).toBeUndefined()
})

test('an administrator who watches another has the lists of that other changed', () => {
  const client = clientWith([trade(1)], key({}, 'u2'), key({}, 'user'))
  applyEvent(client, 'u2', event(trade(2)))
  expect([ids(client, key({}, 'u2')), ids(client, key({}, 'user'))]).toEqual([[2, 1], [1]])
})

test('a simulated list is read again: its gains are at the price it simulates', async () => {
  const simulated = key({ simulPrice: 60_000 })
  const stock: ReadKey = ['stock', { userId: 'user', code: CODE }, { simulPrice: 60_000 }]
  const client = clientWith([trade(1)], simulated)
  client.setQueryData(stock, {})
  applyEvent(client, 'user', event(trade(2)))
  await settled()
  expect(ids(client, simulated)).toEqual([1])
  expect([simulated, stock].map((one) => client.getQueryState(one)?.isInvalidated)).toEqual([true, true])
})

test('an event without trades has the lists of its stock read again', async () => {
  const client = clientWith([trade(1)], open, all)
  applyEvent(client, 'user', anew)
  await settled()
  expect([open, all].map((list) => client.getQueryState(list)?.isInvalidated)).toEqual([true, true])
  // Until then it stays out of date, whatever else arrives.
  applyEvent(client, 'user', event(trade(2)))
  await settled()
  expect(client.getQueryState(open)?.isInvalidated).toBe(true)
})

test('only sums that no event carries are read again', async () => {
  const client = new QueryClient()
  const calls = ['gain', 'money', 'limits', 'balance', 'stocks', 'stock'] as const
  for (const call of calls) client.setQueryData([call, { userId: 'user' }, {}], { list: [] })
  applyEvent(client, 'user', event(trade(1)))
  const isRead = calls.map((call) => client.getQueryState([call, { userId: 'user' }, {}])?.isInvalidated)
  expect(isRead).toEqual([true, true, true, true, false, false])
  const lists = clientWith([trade(1)], open)
  applyEvent(lists, 'user', { kind: 'orders' })
  expect(lists.getQueryState(open)?.isInvalidated).toBe(false)
})

/** A page that shows a list; its replies come when and as the test says. */
function page(client: QueryClient) {
  const replies: ((trades: Trade[]) => void)[] = []
  const signals: AbortSignal[] = []
  const queryFn = ({ signal }: { signal: AbortSignal }) => {
    signals.push(signal)
    return new Promise<Trade[]>((resolve) => replies.push(resolve))
  }
  const observer = new QueryObserver(client, { queryKey: open, queryFn })
  return { leave: observer.subscribe(() => undefined), replies, signals, observer }
}

test.each([
  ['its first reading', undefined],
  ['a later reading', [trade(1)]],
])('a reply from before the event never takes back what it brought: %s', async (_name, before) => {
  const client = new QueryClient()
  if (before) client.setQueryData(open, before, { updatedAt: 1 })
  const { leave, replies, signals, observer } = page(client)
  expect(replies).toHaveLength(1)
  applyEvent(client, 'user', event(trade(2)))
  await settled()
  expect(signals[0]?.aborted).toBe(true)
  replies[0]?.([trade(1)])
  await settled()
  expect([replies.length, observer.getCurrentResult().isError]).toEqual([2, false])
  replies[1]?.([trade(2), trade(1)])
  await settled()
  expect(ids(client, open)).toEqual([2, 1])
  expect(client.getQueryState(open)).toMatchObject({ isInvalidated: false, fetchStatus: 'idle' })
  leave()
})
