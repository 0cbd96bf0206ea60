import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import type { Execution } from './types.ts'

/** A sell of two that rests. */
const resting = (): Desk => new Desk({ autoBuy: false }).hold([1, 2, 70_000]).timer().accept(1).wait(2_000)

/** An order of another branch of the broker that carries the number of ours, and is filled. */
const FILLED = { orgno: '00950', filledCount: 2, filledAmount: 300_000, remainingCount: 0 }
const OTHERS: readonly (readonly [name: string, row: Partial<Execution>])[] = [
  ['another stock', { ...FILLED, code: '000660' }],
  ['the other side', { ...FILLED, side: 'buy' }],
  ['another count', { ...FILLED, count: 3, filledCount: 3 }],
  ['the like by another branch', FILLED],
]

test.each(OTHERS)('a fill of %s under the same number is not booked as ours, whichever comes last', (_name, other) => {
  for (const isLast of [true, false]) {
    const desk = resting()
    const rows = [desk.row(1), desk.row(1, other)]
    desk.read(isLast ? rows : rows.toReversed())
    expect([desk.order(1).status, desk.order(1).filledCount, desk.lots]).toEqual(['open', 0, ['1: 2 @ 70000']])
    expect(desk.stock.blocked).toBe(null)
    desk.wait(2_000).read([desk.row(1, { filledCount: 2, remainingCount: 0 }), desk.row(1, other)])
    expect([desk.order(1).status, desk.lots]).toEqual(['filled', []])
  }
})

test('nor where ours is not listed at all: then it is missing', () => {
  const desk = resting()
  desk.wait(40_000).read([desk.row(1, { ...FILLED, code: '000660' })])
  desk.wait(3_000).read([desk.row(1, { ...FILLED, code: '000660' })])
  expect([desk.order(1).status, desk.lots]).toEqual(['open', ['1: 2 @ 70000']])
  expect(desk.account.view.orders.unlisted.get(1)?.again).toBe(true)
})

test('a row that is ours but for its count contradicts the order, and stops the stock', () => {
  const desk = resting()
  desk.read([desk.row(1, { count: 3, filledCount: 3, filledAmount: 210_000, remainingCount: 0 })])
  expect(desk.stock.blocked?.code).toBe('ambiguous')
  expect(desk.account.book.stocks.get(CODE)?.lots).toHaveLength(1)
})
