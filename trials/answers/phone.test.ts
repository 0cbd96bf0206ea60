import { expect, test } from 'vitest'
import type { Truth } from '../agreement/agreement.ts'
import { sharesByPhone, withoutPhone } from './phone.ts'

const order = (odno: string, byPhone: boolean, side: 'buy' | 'sell' = 'buy') =>
  ({
    day: '20261117',
    odno,
    code: '300003',
    side,
    change: null,
    ...(byPhone && { byPhone }),
  }) as unknown as Truth['orders'][number]
const filled = (odno: string, side: 'buy' | 'sell', count: number) =>
  ({
    kind: 'filled',
    day: '20261117',
    odno,
    code: '300003',
    side,
    price: 100,
    count,
    fee: 1,
    tax: side === 'sell' ? 2 : 0,
  }) as unknown as Truth['events'][number]

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
