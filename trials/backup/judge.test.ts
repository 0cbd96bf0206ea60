import { expect, test } from 'vitest'
import { type BookOrder, type BrokerEvent, ordersInDifferingStocks, sharesThatDiffer } from './judge.ts'

const DAY = '20261127'
const RESTORED_AT = 100_000

const accepted = (odno: string, side: 'buy' | 'sell', code = 'A'): BrokerEvent => ({
  kind: 'accepted',
  order: { day: DAY, odno, code, side, count: 2, change: null },
})
const filled = (odno: string, at = 50_000): BrokerEvent => ({ kind: 'filled', at, day: DAY, odno, count: 2 })
const reduced = (odno: string): BrokerEvent => ({ kind: 'reduced', at: 0, day: DAY, odno, count: 2 })
const own = (odno: string, over: Partial<BookOrder> = {}): BookOrder => ({
  id: Number(odno),
  day: DAY,
  odno,
  code: 'A',
  side: 'sell',
  origin: 'auto',
  created_at: 200_000,
  ...over,
})

const judge = (events: readonly BrokerEvent[], orders: readonly BookOrder[], fixed?: number) =>
  ordersInDifferingStocks(events, orders, {
    restoredAt: RESTORED_AT,
    fixedAt: new Map(fixed === undefined ? [] : [['A', [fixed, 300_000]]]),
  }).length

test.each<[string, number, number]>([
  ['nothing else at the broker', judge([accepted('5', 'sell')], [own('5')]), 0],
  ['a fill that is in no book', judge([accepted('1', 'buy'), filled('1'), accepted('5', 'sell')], [own('5')]), 1],
  ['of another stock', judge([accepted('1', 'buy', 'B'), filled('1'), accepted('5', 'sell')], [own('5')]), 0],
  ['that was corrected', judge([accepted('1', 'buy'), filled('1'), accepted('5', 'sell')], [own('5')], 150_000), 0],
  [
    'that was corrected later',
    judge([accepted('1', 'buy'), filled('1'), accepted('5', 'sell')], [own('5')], 250_000),
    1,
  ],
  ['that came later', judge([accepted('1', 'buy'), accepted('5', 'sell'), filled('1')], [own('5')]), 0],
  [
    'that was corrected before it',
    judge([accepted('1', 'buy'), filled('1'), accepted('5', 'sell')], [own('5')], 40_000),
    1,
  ],
  ['of just now', judge([accepted('1', 'buy'), filled('1', 180_000), accepted('5', 'sell')], [own('5')]), 0],
  ['one of the same side that rests', judge([accepted('1', 'sell'), accepted('5', 'sell')], [own('5')], 150_000), 1],
  ['one of the other side that rests', judge([accepted('1', 'buy'), accepted('5', 'sell')], [own('5')]), 0],
  ['one that was cancelled', judge([accepted('1', 'sell'), reduced('1'), accepted('5', 'sell')], [own('5')]), 0],
  [
    'one that the book has',
    judge([accepted('1', 'sell'), accepted('5', 'sell')], [own('1', { created_at: 0 }), own('5')]),
    0,
  ],
  ['a person’s order', judge([accepted('1', 'sell'), accepted('5', 'sell')], [own('5', { origin: 'person' })]), 0],
  ['one from before', judge([accepted('1', 'sell'), accepted('5', 'sell')], [own('5', { created_at: 50_000 })]), 0],
])('an order beside %s', (_, found, expected) => {
  expect(found).toBe(expected)
})

test('shares of book and broker are held against each other, stock by stock', () => {
  const trades = [
    { code: 'A', count: 2, closed: false },
    { code: 'A', count: 3, closed: true },
    { code: 'B', count: 1, closed: false },
  ]
  const book = { trades, issues: new Map(['A', 'B'].map((code) => [code, null])) }
  const same = [
    { code: 'A', count: 2 },
    { code: 'B', count: 1 },
  ]
  expect(sharesThatDiffer(book, same)).toEqual([])
  expect(sharesThatDiffer(book, [{ code: 'A', count: 5 }])).toEqual([
    'A: 2 shares in the book, 5 at the broker',
    'B: 1 shares in the book, 0 at the broker',
  ])
})
