import type { Fact, SimOrder } from '@digger/kis-sim'
import { expect, test } from 'vitest'
import type { Truth } from '../agreement/agreement.ts'
import { sharesByPhone, withoutPhone } from './phone.ts'

const DAY = '20261117'
const CODE = '300003'
const ACCOUNT = '5012345601'
const EXCHANGE = { account: ACCOUNT, code: CODE, day: DAY, venue: 'KRX', at: 1 } as const

const order = (odno: string, byPhone: boolean, side: 'buy' | 'sell' = 'buy'): SimOrder => ({
  ...EXCHANGE,
  odno,
  side,
  ...(byPhone && { byPhone }),
  division: '00',
  count: 1,
  price: 100,
  trigger: 0,
  routed: 'KRX',
  original: null,
  change: null,
  reservedPrice: 100,
  filledCount: 0,
  filledAmount: 0,
  cancelledCount: 0,
  rejectedCount: 0,
  expiredCount: 0,
  expiredAt: null,
  remaining: 0,
  fee: 0,
  tax: 0,
  settled: true,
})

const filled = (odno: string, side: 'buy' | 'sell', count: number): Fact => ({
  ...EXCHANGE,
  kind: 'filled',
  odno,
  side,
  price: 100,
  count,
  fee: 1,
  tax: side === 'sell' ? 2 : 0,
  settles: '20261119',
})

const truth: Truth = {
  events: [filled('1', 'buy', 10), filled('2', 'buy', 6), filled('3', 'sell', 2)],
  orders: [order('1', false), order('2', true), order('3', true, 'sell'), order('4', true)],
  holdings: [{ code: '300003', count: 14, sellable: 14, averagePrice: 100 }],
  cashBefore: 10_000,
  cashAfter: 10_000 - 1_001 - 601 + 197,
}

test('orders of a phone, their shares and their money are taken out of what the broker has', () => {
  const { orders, events, holdings, cashAfter } = withoutPhone(truth)
  expect([orders.length, events.length, holdings.map(({ count }) => count), cashAfter]).toEqual([1, 1, [10], 8_999])
  expect([...sharesByPhone(truth)]).toEqual([['300003', 4]])
})

test('shares that a phone sold to the last one are there again', () => {
  const sold = {
    ...truth,
    events: [filled('1', 'buy', 2), filled('3', 'sell', 2)],
    holdings: [],
    cashAfter: 10_000 - 201 + 197,
  }
  const { holdings, cashAfter } = withoutPhone(sold)
  expect([holdings.map(({ code, count }) => `${count} ${code}`), cashAfter]).toEqual([['2 300003'], 9_799])
})

test('where nobody was at the phone nothing changes', () => {
  const quiet = { ...truth, orders: [order('1', false)], events: [filled('1', 'buy', 10)] }
  expect(withoutPhone(quiet)).toEqual(quiet)
})
