import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { heldToday } from './held-today.ts'
import { gainOf, netGainOf, NOTHING_REALISED, withSale } from './realised.ts'
import type { ClosedTrade } from './types.ts'

const trade = (over: Partial<ClosedTrade> = {}): ClosedTrade => ({
  id: 1,
  code: CODE,
  count: 2,
  buyPrice: 70_000,
  buyAmount: 140_000,
  boughtAt: 0,
  sellPrice: 71_000,
  sellAmount: 142_000,
  soldAt: 0,
  day: '20261116',
  fee: 42,
  tax: 284,
  ...over,
})
const realised = (desk: Desk) => [...desk.account.book.realisedToday]

test('sales are added up by stock; a correction, whose price nobody knows, adds nothing', () => {
  const sums = [trade(), trade({ sellPrice: 69_000, sellAmount: 138_000 }), trade({ code: '000660' })].reduce(
    withSale,
    NOTHING_REALISED,
  )
  expect([...sums]).toEqual([
    [CODE, { gross: 0, net: -652 }],
    ['000660', { gross: 2_000, net: 1_674 }],
  ])
  expect(withSale(sums, trade({ sellPrice: null, sellAmount: null }))).toBe(sums)
  expect([gainOf(trade()), netGainOf(trade())]).toEqual([2_000, 1_674])
})

test('the book has what its day realised, also of a stock that was deleted, and begins each day at nothing', () => {
  const desk = new Desk({ lastBuyPrice: 68_600 }).hold([1, 2, 70_000]).quote(69_000).timer()
  desk.accept(...desk.sent).fill(1)
  const { gainToday, realisedToday } = desk.account.book
  expect(gainToday).toBeGreaterThan(0)
  expect(realisedToday.get(CODE)?.net).toBe(gainToday)
  desk.putFacts({ kind: 'stockRemoved', code: CODE, at: desk.now })
  expect(desk.account.book.realisedToday).toEqual(realisedToday)
  desk.putFacts({ kind: 'dayOpened', day: '20261117', at: desk.now })
  expect(realised(desk)).toEqual([])
})

test('a sale of another day is none of today', () => {
  const desk = new Desk().hold([1, 2, 70_000])
  desk.putFacts({ kind: 'lotSold', lotId: 1, trade: trade({ day: '20261113' }), at: desk.now })
  expect([realised(desk), desk.account.book.gainToday, desk.stock.accGainAmount]).toEqual([[], 0, 2_000])
})

test('bought today is what an order of today bought', () => {
  const desk = new Desk({ autoSell: false, lastBuyPrice: 71_000 }).hold([1, 2, 70_000])
  expect(heldToday(desk.account.book, CODE)).toEqual({ count: 2, before: 2, boughtAmount: 0 })
  desk.buy(69_000)
  const { count, before, boughtAmount } = heldToday(desk.account.book, CODE)
  expect([before, count > 2, boughtAmount]).toEqual([2, true, (count - 2) * 69_000])
  // Bonus shares, and what a correction brings.
  desk.wait(60_000).hold([90, 4, 1_000])
  expect(heldToday(desk.account.book, CODE)).toEqual({ count: count + 4, before: before + 4, boughtAmount })
  desk.putFacts({ kind: 'dayOpened', day: '20261117', at: desk.now })
  expect(heldToday(desk.account.book, CODE)).toEqual({ count: count + 4, before: count + 4, boughtAmount: 0 })
  expect(heldToday(desk.account.book, '999999')).toEqual({ count: 0, before: 0, boughtAmount: 0 })
})
