import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import type { AccountCommand } from './step-types.ts'

const atMarket = (count: number): AccountCommand => ({ kind: 'sellAtMarket', code: CODE, count })
const atPrice = (count: number, slices: number): AccountCommand => ({
  kind: 'sellAtPrice',
  code: CODE,
  price: 70_000,
  slices,
  count,
})
/** Nothing rests. */
const holding = (...lots: [number, number, number][]): Desk =>
  new Desk({ autoBuy: false, autoSell: false }).hold(...lots).quote(70_000)

const lotsOf = (desk: Desk): [number, number][] =>
  desk.stock.lots.map(({ id, count }): [number, number] => [id, count]).sort(([a], [b]) => a - b)

test('the lots of the lowest targets are sold first; the last one is split, and its rest keeps its number', () => {
  const desk = holding([1, 2, 71_000], [2, 4, 69_000], [3, 5, 72_000])
  desk.ask(atMarket(5))
  expect(desk.live).toEqual(['1 sell 5 @ 0 of 2+4 intended'])
  expect(lotsOf(desk)).toEqual([
    [1, 1],
    [2, 4],
    [3, 5],
    [4, 1],
  ])
})

test('in slices', () => {
  const desk = holding([1, 2, 71_000], [2, 4, 69_000])
  desk.ask(atPrice(5, 2))
  expect(desk.live.map((text) => text.slice(0, 10))).toEqual(['1 sell 3 @', '2 sell 2 @'])
})

test('of what rests only the orders of those lots are cancelled, and what is sold meanwhile counts', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 3, 69_000], [2, 3, 72_000]).quote(70_000).timer()
  desk
    .accept(...desk.sent)
    .wait(2_000)
    .quote(70_000)
  expect(desk.live).toHaveLength(2)
  desk.ask(atMarket(2))
  expect([desk.cancels, desk.sent]).toEqual([[1], []])
  desk.wait(1_000).read([desk.row(1, { cancelled: true, filledCount: 1, remainingCount: 0 })])
  expect(desk.live.filter((text) => text.includes('@ 0 '))).toEqual(['3 sell 1 @ 0 of 4 intended'])
})

test.each([0, 7, 1.5, -1])('%d of six shares: refused with what there is', (count) => {
  const desk = holding([1, 2, 71_000], [2, 4, 69_000])
  expect(desk.ask(atMarket(count))).toMatchObject({ ok: false, code: 'INVALID' })
  expect(desk.live).toEqual([])
})

test('however the lots lie, exactly so many are offered, and no share is lost', () => {
  const lots = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 600, max: 800 })), {
    minLength: 1,
    maxLength: 6,
  })
  fc.assert(
    fc.property(
      lots,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 4 }),
      (held, part, slices) => {
        const desk = holding(
          ...held.map(([count, price], at): [number, number, number] => [at + 1, count, price * 100]),
        )
        const all = held.reduce((sum, [count]) => sum + count, 0)
        const count = Math.max(1, Math.round(all * part))
        desk.ask(atPrice(count, slices))
        const offered = [...desk.account.book.orders.values()].reduce((sum, order) => sum + order.count, 0)
        expect(offered).toBe(count)
        expect(lotsOf(desk).reduce((sum, [, one]) => sum + one, 0)).toBe(all)
      },
    ),
  )
})
