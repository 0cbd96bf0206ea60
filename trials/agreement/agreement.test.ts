import type { Issue } from '@digger/core'
import type { Fact, SimOrder } from '@digger/kis-sim'
import { expect, test } from 'vitest'
import type { OrderRow, TradeRow } from '@digger/database'
import { disagreements, type Book, type Truth } from './agreement.ts'
import { duplicateOrders } from '../crash/duplicate-orders.ts'

type AcceptedOrder = Extract<Fact, { kind: 'accepted' }>['order']

const CODE = '005930'
const DAY = '20260105'
const issues = new Map<string, Issue>([[CODE, { code: CODE, market: 'KOSPI', kind: 'stock', nxt: false }]])

const orderRow = (id: number, side: 'buy' | 'sell', count: number, price: number): OrderRow => ({
  user_id: 'u',
  id,
  code: CODE,
  side,
  origin: 'auto',
  type: 'limit',
  price,
  count,
  venue: 'KRX',
  session: 'regular',
  status: 'filled',
  live: false,
  day: DAY,
  odno: `000000000${id}`,
  orgno: '1',
  filled_count: count,
  filled_amount: count * price,
  reserved_price: price,
  created_at: id,
  updated_at: id,
  why: '',
  note: null,
  absent_from: null,
  cancel_asked: false,
  cancel_wanted: false,
})

const order = ({ day, odno, code, side, price, count }: OrderRow): AcceptedOrder => ({
  day,
  odno: odno ?? '',
  account: 'a',
  code,
  side,
  division: '00',
  count,
  price,
  trigger: 0,
  at: 1,
  venue: 'KRX',
  routed: 'KRX',
  original: null,
  change: null,
  reservedPrice: price,
})
const simOrder = (row: OrderRow): SimOrder => ({
  ...order(row),
  filledCount: row.count,
  filledAmount: row.filled_amount,
  cancelledCount: 0,
  expiredCount: 0,
  expiredAt: null,
  rejectedCount: 0,
  remaining: 0,
  fee: 0,
  tax: 0,
  settled: false,
})

const accepted = (row: OrderRow): Fact => ({ kind: 'accepted', at: 1, account: 'a', order: order(row) })
const filled = ({ day, odno, code, side, price, count }: OrderRow): Fact => ({
  kind: 'filled',
  at: 1,
  account: 'a',
  day,
  odno: odno ?? '',
  code,
  side,
  price,
  count,
  venue: 'KRX',
  fee: 0,
  tax: 0,
  settles: day,
})

// Bought 10 at 70,000 (brokerage 105); 6 of them sold at 71,000 (brokerage 63, tax 852): two parts of one lot.
const buy = orderRow(1, 'buy', 10, 70_000)
const sale = orderRow(2, 'sell', 6, 71_000)
const lot = (id: number, count: number): TradeRow => ({
  user_id: 'u',
  id,
  code: CODE,
  count,
  buy_price: 70_000,
  buy_amount: count * 70_000,
  bought_at: 1,
  buy_order_id: null,
  held_back: false,
  taken_over: false,
  by_person: false,
  bought_before: 0,
  closed: false,
  sell_price: null,
  sell_amount: null,
  sold_at: null,
  sell_day: null,
  fee: null,
  tax: null,
})
const sold: TradeRow = {
  ...lot(2, 6),
  closed: true,
  sell_price: 71_000,
  sell_amount: 426_000,
  sold_at: 2,
  sell_day: DAY,
  fee: 63 + 63,
  tax: 852,
}
const book: Book = { orders: [buy, sale], trades: [lot(1, 4), sold], issues }
const truth: Truth = {
  events: [accepted(buy), filled(buy), accepted(sale), filled(sale)],
  orders: [simOrder(buy), simOrder(sale)],
  holdings: [{ code: CODE, count: 4, sellable: 4, averagePrice: 70_000 }],
  cashBefore: 1_000_000,
  cashAfter: 1_000_000 - 700_000 - 105 + 426_000 - 63 - 852,
}

test('book and broker of one purchase and a part sale agree to the won', () => {
  expect(disagreements(book, truth)).toEqual([])
})

test.each<[string, Partial<Book>, Partial<Truth>, RegExp]>([
  ['a won missing at the broker', {}, { cashAfter: truth.cashAfter - 1 }, /^cash: book/],
  [
    'a share too many at the broker',
    {},
    { holdings: [{ ...truth.holdings[0]!, count: 5 }] },
    /book 4 shares, broker 5/,
  ],
  [
    'shares of a stock nobody booked',
    {},
    { holdings: [...truth.holdings, { ...truth.holdings[0]!, code: '000660' }] },
    /000660: book 0/,
  ],
  [
    'a fill booked twice',
    { orders: [{ ...buy, filled_count: 20, filled_amount: 1_400_000 }, sale] },
    {},
    /order 1: book 20/,
  ],
  ['a fill never booked', {}, { events: [...truth.events, filled(sale)] }, /order 2: book 6 .* broker 12/],
  ['an order the book does not know', { orders: [buy] }, {}, /0000000002 .* has 0 rows/],
  ['one broker order in two rows', { orders: [buy, sale, { ...sale, id: 3 }] }, {}, /0000000002 .* has 2 rows/],
  ['an order the broker never had', {}, { orders: [simOrder(buy)] }, /the broker never had/],
  [
    'an order left without a verdict',
    { orders: [buy, sale, { ...sale, id: 3, odno: null, status: 'unknown' }] },
    {},
    /order 3 is unknown/,
  ],
  [
    'a lot with another amount than its order',
    { trades: [{ ...lot(1, 4), buy_amount: 279_999 }, sold] },
    {},
    /lots were bought/,
  ],
  ['a trade without its tax', { trades: [lot(1, 4), { ...sold, tax: 0 }] }, {}, /costs: lots/],
  [
    'a whole lot that cost a won less than its two orders',
    {
      orders: [buy, orderRow(2, 'sell', 10, 71_000)],
      trades: [{ ...sold, count: 10, buy_amount: 700_000, sell_amount: 710_000, fee: 105 + 106 - 1, tax: 1_420 }],
    },
    {},
    /costs: lots 1630, orders 1631/,
  ],
])('%s is found', (_name, inBook, atBroker, expected) => {
  expect(disagreements({ ...book, ...inBook }, { ...truth, ...atBroker }).join('\n')).toMatch(expected)
})

test('lots of a stock that a person has set right cost what the broker says, its cash still agrees to the won', () => {
  const average = { ...lot(1, 4), buy_amount: 279_999 }
  const corrected = { ...book, trades: [average, sold] }
  expect(disagreements(corrected, truth, new Set([CODE]))).toEqual([])
  expect(disagreements(corrected, truth, new Set(['000660']))).toHaveLength(1)
  expect(disagreements(corrected, { ...truth, cashAfter: truth.cashAfter - 1 }, new Set([CODE]))).toHaveLength(1)
})

test('two buys of a stock at the same time are found, one after the other are not', () => {
  const second = orderRow(3, 'buy', 1, 69_000)
  expect(duplicateOrders([accepted(buy), filled(buy), accepted(second)], [buy, second], [])).toEqual([])
  expect(duplicateOrders([accepted(buy), accepted(second)], [buy, second], [])).toHaveLength(1)
})

const lotRow = (order_id: number, lot_id: number) => ({
  user_id: 'u',
  order_id,
  position: 0,
  lot_id,
  count: 1,
  live: true,
})

test('two sales of one lot are found, of two lots are not', () => {
  const other = orderRow(4, 'sell', 1, 72_000)
  const events = [accepted(sale), accepted(other)]
  expect(duplicateOrders(events, [sale, other], [lotRow(2, 1), lotRow(4, 2)])).toEqual([])
  expect(duplicateOrders(events, [sale, other], [lotRow(2, 1), lotRow(4, 1)])).toHaveLength(1)
})
