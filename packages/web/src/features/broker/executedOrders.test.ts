import { beforeEach, expect, test } from 'vitest'
import { merge, sums, type ExecutedOrder } from './executedOrders.ts'

const comparing = () => expect.hasAssertions()
beforeEach(comparing)

const executed = (code: string, orderType: ExecutedOrder['orderType'], qty: number, price: number): ExecutedOrder => ({
  code,
  name: code,
  orderType,
  orderDateTime: '2026-11-20T10:00:00+09:00',
  qty,
  price,
  exchangeCode: 'KRX',
})

test('merging groups by code and side: quantities add up, the price is the average rounded up, the date goes', () => {
  const rows = [
    executed('A', 'BUY', 2, 100),
    executed('A', 'SELL', 1, 120),
    executed('A', 'BUY', 1, 101),
    executed('B', 'BUY', 1, 7),
  ]
  expect(merge(rows)).toEqual([
    // 301 / 3 = 100.33…
    expect.objectContaining({ code: 'A', orderType: 'BUY', qty: 3, price: 101, amount: 301, orderDateTime: null }),
    expect.objectContaining({ code: 'A', orderType: 'SELL', qty: 1, price: 120, orderDateTime: null }),
    expect.objectContaining({ code: 'B', orderType: 'BUY', qty: 1, price: 7 }),
  ])
})

test('an average that is whole is not rounded further, and nothing is divided by no shares', () => {
  expect(merge([executed('A', 'BUY', 2, 100), executed('A', 'BUY', 2, 102)])[0]?.price).toBe(101)
  expect(merge([executed('A', 'BUY', 0, 100)])[0]?.price).toBe(0)
  expect(merge([])).toEqual([])
})

test('the gap is what was sold minus what was bought, from the single rows', () => {
  const rows = [executed('A', 'BUY', 2, 100), executed('A', 'BUY', 1, 101), executed('A', 'SELL', 3, 110)]
  expect(sums(rows)).toEqual({ buy: { count: 3, amount: 301 }, sell: { count: 3, amount: 330 }, gap: 29 })
  expect(sums([])).toEqual({ buy: { count: 0, amount: 0 }, sell: { count: 0, amount: 0 }, gap: 0 })
})
