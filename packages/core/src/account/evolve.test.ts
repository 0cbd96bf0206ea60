import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CODE, DAY, Desk, heldLot } from '../../test/desk.ts'
import { simulate } from '../../test/simulate/run.ts'
import { costShare, shareOf } from './cost-share.ts'
import { emptyBook, evolve } from './evolve.ts'
import { gainOf } from './realised.ts'
import type { Fact } from './facts.ts'
import type { ClosedTrade } from './types.ts'

const trade = (over: Partial<ClosedTrade>): ClosedTrade => ({
  id: 1,
  code: CODE,
  count: 2,
  buyPrice: 68_600,
  buyAmount: 137_200,
  boughtAt: 1,
  sellPrice: 69_500,
  sellAmount: 139_000,
  soldAt: 2,
  day: DAY,
  fee: 40,
  tax: 278,
  ...over,
})

test('gain is count × (sell − buy), and nothing when the sale has no price', () => {
  expect(gainOf(trade({}))).toBe(1_800)
  expect(gainOf(trade({ sellPrice: 68_000 }))).toBe(-1_200)
  expect(gainOf(trade({ sellPrice: null }))).toBe(0)
})

test.each([
  [10_000, 3, 3, 10_000],
  [10_000, 1, 3, 3_333],
  [10_000, 2, 3, 6_666],
  // The plain product passes 2^53 here.
  [999_999_999_999, 999_998, 999_999, 999_998_999_998],
])('of %i won, %i of %i shares carry %i', (buyAmount, part, count, expected) => {
  expect(costShare({ buyAmount, count }, part)).toBe(expected)
})

test('a share of an amount is exact for every won', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10 ** 12 }),
      fc.integer({ min: 1, max: 10 ** 6 }),
      fc.nat(),
      (amount, whole, n) => {
        const part = n % (whole + 1)
        expect(BigInt(shareOf(amount, part, whole))).toBe((BigInt(amount) * BigInt(part)) / BigInt(whole))
      },
    ),
  ))

test('a split keeps every share and every won, the new part by number', () => {
  const desk = new Desk().hold([1, 5, 70_000], [2, 1, 69_000])
  desk.putFacts({ kind: 'lotSplit', code: CODE, lotId: 1, newLotId: 3, count: 2, at: desk.now })
  expect(desk.lots).toEqual(['1: 3 @ 70000', '2: 1 @ 69000', '3: 2 @ 70000'])
  expect(desk.stock.lots.map((lot) => lot.buyAmount)).toEqual([210_000, 69_000, 140_000])
  expect(desk.account.book.nextLotId).toBe(4)
})

test('lots stay in order of number whatever order they come in', () => {
  const desk = new Desk().hold([4, 1, 70_000], [2, 1, 69_000])
  expect(desk.stock.lots.map((lot) => lot.id)).toEqual([2, 4])
})

test('a part sold takes its cost along; the last part takes the lot', () => {
  const desk = new Desk().hold([1, 3, 70_000])
  desk.putFacts({ kind: 'lotSold', lotId: 1, trade: trade({ id: 2, count: 1, buyAmount: 70_000 }), at: 5 })
  expect(desk.stock.lots).toEqual([{ ...heldLot(1, 2, 70_000), boughtAt: 1 }])
  desk.putFacts({ kind: 'lotSold', lotId: 1, trade: trade({ count: 2, buyAmount: 140_000 }), at: 5 })
  expect(desk.stock.lots).toEqual([])
})

test('rejects count in a row; a fill or another end starts anew, an acceptance does not', () => {
  const desk = new Desk({ autoSell: false })
  const rejects = () => desk.stock.rejects
  desk.buyAt(70_000).do({ kind: 'refused', orderId: 1, text: '거절' })
  expect(rejects()).toBe(1)
  desk.wait(6_000).buyAt(70_000).accept(2)
  expect(rejects()).toBe(1)
  desk.read([desk.row(2, { rejectedCount: 2, remainingCount: 0 })])
  expect(rejects()).toBe(2)
  desk.wait(6_000).buyAt(70_000).do({ kind: 'notSent', orderId: 3, text: '혼잡' })
  expect(rejects()).toBe(2)
  desk
    .wait(6_000)
    .buyAt(70_000)
    .accept(4)
    .wait(2_000)
    .read([desk.row(4, { filledCount: 1 })])
  expect(rejects()).toBe(0)
})

test('a new day drops what is over, keeps what lives, and the equals of what lives', () => {
  const desk = new Desk().hold([1, 2, 70_000], [2, 2, 69_000]).timer()
  desk.accept(1, 2).fill(1)
  desk.putFacts({ kind: 'lotsHeldBack', code: CODE, lotIds: [2], heldBack: true, at: 0 })
  desk.putFacts({ kind: 'dayOpened', day: '20261117', at: 0 })
  expect(desk.orders.map((text) => text[0])).toEqual(['1', '2'])
  expect(desk.stock.lots.some((lot) => lot.heldBack)).toBe(false)
  desk.putFacts({ kind: 'orderEnded', orderId: 2, end: 'expired', note: null, at: 0 })
  desk.putFacts({ kind: 'dayOpened', day: '20261118', at: 0 })
  expect(desk.orders).toEqual([])
})

test('the journal, written down and read again, rebuilds the identical book', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
      // Every restart of a run compares the rebuilt book with the one before, and so does the end.
      expect(simulate(seed).failure).toBe(null)
    }),
    { numRuns: 15, seed: 20_261_116 },
  ))

test('facts about a stock or an order that is not there change nothing', () => {
  const book = emptyBook(DAY)
  const strays: Fact[] = [
    { kind: 'stockChecked', code: CODE, at: 1 },
    { kind: 'orderFilled', orderId: 9, count: 1, amount: 1, at: 1 },
    { kind: 'lotSold', lotId: 3, trade: trade({}), at: 1 },
  ]
  expect(strays.reduce(evolve, book)).toEqual(book)
})
