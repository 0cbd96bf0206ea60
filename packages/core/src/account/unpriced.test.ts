import { expect, test } from 'vitest'
import { CODE, Desk, odnoOf } from '../../test/desk.ts'
import type { Order, OrderType } from './types.ts'

/**
 * Orders that left without a price. The broker's list may show them at 0, or at the price they got; a filled market order
 * was seen at 0 (paper, 2026-08-05), best orders by nobody who told.
 */
const PAST_LAG = 20_000

/** Sells of two shares, of lots 1, 2 … in turn, all without a verdict. */
function lostSells(...types: OrderType[]): Desk {
  const desk = sells(...types)
  for (const [n] of types.entries()) desk.lose(n + 1)
  return desk.wait(PAST_LAG)
}

/** The same, still on their way. */
function sells(...types: OrderType[]): Desk {
  const lots = types.map((_type, n): [number, number, number] => [n + 1, 2, 70_000])
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold(...lots)
  for (const [n, type] of types.entries()) {
    const order: Order = {
      id: n + 1,
      code: CODE,
      side: 'sell',
      origin: 'person',
      type,
      price: type === 'limit' ? 70_900 : 0,
      count: 2,
      venue: 'KRX',
      session: 'regular',
      lots: [{ lotId: n + 1, count: 2 }],
      status: 'intended',
      day: desk.account.book.day,
      odno: null,
      orgno: null,
      filledCount: 0,
      filledAmount: 0,
      reservedPrice: 0,
      createdAt: desk.now,
      updatedAt: desk.now,
      why: '',
      note: null,
      absentFrom: null,
      cancelAsked: false,
      cancelWanted: false,
    }
    desk.putFacts({ kind: 'orderIntended', order, at: desk.now })
  }
  return desk
}

test.each<[OrderType, number, string]>([
  ['market', 0, 'open'],
  ['market', 70_300, 'open'],
  ['best', 0, 'open'],
  ['best', 70_300, 'open'],
  ['limit', 70_900, 'open'],
  ['limit', 70_300, 'unknown'],
  ['limit', 0, 'unknown'],
])('a %s order whose reply was lost, listed at %d: %s', (type, price, status) => {
  const desk = lostSells(type)
  desk.read([desk.row(1, { price })])
  expect(desk.order(1).status).toBe(status)
})

test.each<[string, object]>([
  ['another count', { count: 3 }],
  ['the other side', { side: 'buy' }],
  ['another stock', { code: '000660' }],
  ['another day', { day: '20261115' }],
])('any price, but not %s', (_name, other) => {
  const desk = lostSells('market')
  desk.read([desk.row(1, { price: 70_300, ...other })])
  expect(desk.order(1).status).toBe('unknown')
})

test('its fill is booked at what it got, and nothing is sold a second time', () => {
  const desk = lostSells('market')
  const sold = { price: 70_300, filledCount: 2, filledAmount: 140_600, remainingCount: 0 }
  desk.read([desk.row(1, sold)])
  expect([desk.order(1).status, desk.lots, desk.stock.accGainAmount]).toEqual(['filled', [], 600])
})

test('the row of an order without a price that has no number yet is no stranger’s', () => {
  const desk = lostSells('market').wait(-PAST_LAG)
  desk.read([desk.row(1, { price: 70_300, filledCount: 2, remainingCount: 0 })])
  expect([desk.order(1).status, desk.stock.blocked]).toEqual(['unknown', null])
})

test('of one with a price and one without, the one with takes the row that fits it, whichever was made first', () => {
  for (const types of [
    ['market', 'limit'],
    ['limit', 'market'],
  ] as const) {
    const desk = lostSells(...types)
    const [priced, unpriced] = types[0] === 'limit' ? [1, 2] : [2, 1]
    const rows = [
      desk.row(priced, { odno: '0000000005' }),
      // Filled at the very price of the other one, and listed after it.
      desk.row(unpriced, { odno: '0000000006', price: 70_900, orderedAt: desk.now - PAST_LAG + 1 }),
    ]
    desk.read(rows).wait(3_000).read(rows)
    expect([desk.order(priced).odno, desk.order(unpriced).odno]).toEqual(['0000000005', '0000000006'])
    expect(desk.stock.blocked).toBe(null)
  }
})

test('with one row for both, the one without a price is given up only after the other has its row', () => {
  const desk = lostSells('market', 'limit')
  const row = desk.row(2, { odno: '0000000005' })
  desk.read([row])
  expect([desk.order(1).status, desk.order(2).odno]).toEqual(['unknown', '0000000005'])
  desk.wait(3_000).read([row]).wait(3_000).read([row])
  expect(desk.order(1).status).toBe('notPlaced')
})

test('nor does it take the row of one with a price that was lost later, and may not be looked for yet', () => {
  const desk = sells('market', 'limit').lose(1).wait(10_000).lose(2).wait(10_000)
  const row = desk.row(2, { odno: '0000000005' })
  desk.read([row])
  expect([desk.order(1).odno, desk.order(2).odno]).toEqual([null, null])
  desk.wait(10_000).read([row])
  expect([desk.order(1).odno, desk.order(2).odno]).toEqual([null, '0000000005'])
})

test('while an order that may have the same row is on its way, neither takes it', () => {
  const desk = lostSells('limit').hold([2, 2, 70_000])
  const order: Order = { ...desk.order(1), id: 2, type: 'market', price: 0, lots: [{ lotId: 2, count: 2 }] }
  desk.putFacts({ kind: 'orderIntended', order: { ...order, status: 'intended' }, at: desk.now })
  desk.read([desk.row(1, { odno: odnoOf(2) })])
  expect(desk.order(1).status).toBe('unknown')
})

test('two rows that could be it: a person decides', () => {
  const desk = lostSells('best')
  desk.read([desk.row(1, { odno: '0000000005', price: 0 }), desk.row(1, { odno: '0000000006', price: 70_300 })])
  expect([desk.order(1).status, desk.stock.blocked?.code]).toEqual(['unknown', 'ambiguous'])
})
