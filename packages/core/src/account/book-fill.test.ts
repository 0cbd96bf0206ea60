import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Desk } from '../../test/desk.ts'
import { costs } from '../krx/cost.ts'
import type { Settings } from '../ladder/types.ts'
import type { ClosedTrade } from './types.ts'

const DAY = '20261116'
const costOf = (side: 'buy' | 'sell', amount: number) =>
  costs({ side, amount, market: 'KOSPI', kind: 'stock', day: DAY })

type Lots = readonly (readonly [count: number, price: number])[]

/** Lots of the day they are sold on, so that both sides have the rates of one day. */
function holding(lots: Lots, settings: Partial<Settings>): Desk {
  const desk = new Desk({ autoBuy: false, ...settings })
  lots.forEach(([count, price], at) => desk.hold([at + 1, count, price]))
  for (const lot of desk.stock.lots)
    desk.putFacts({ kind: 'lotBought', code: desk.stock.issue.code, lot: { ...lot, boughtAt: desk.now }, at: desk.now })
  return desk
}

/** One order sells all lots at their average target, in so many parts. */
function sellInParts(lots: Lots, parts: readonly number[]): Desk {
  const desk = holding(lots, { autoSellWithAvgPrice: true })
  desk.timer().accept(1)
  const { count, price } = desk.order(1)
  let filledCount = 0
  for (const part of [...parts, count]) {
    filledCount = Math.min(count, filledCount + part)
    const row = { filledCount, filledAmount: filledCount * price, remainingCount: count - filledCount }
    desk.wait(2_000).read([desk.row(1, row)])
  }
  return desk
}

/** Sold in slices, and what is left by then in slices once more: lots are split, and so are parts of them. */
function sellInSlices(lots: Lots, first: number, filled: number, second: number): Desk {
  const desk = holding(lots, { autoSell: false })
  const sliced = (price: number, slices: number): readonly number[] => {
    desk.wait(60_000).quote(70_000).ask({ kind: 'sellAtPrice', code: desk.stock.issue.code, price, slices })
    const ids = desk.sent
    desk.accept(...ids).wait(2_000)
    return ids
  }
  const fill = (ids: readonly number[]): void => ids.forEach((id) => desk.wait(2_000).fill(id))
  const ids = sliced(72_000, first)
  fill(ids.slice(0, filled))
  const others = ids.slice(filled)
  for (const id of others) desk.ask({ kind: 'cancelOrder', id })
  desk.wait(2_000).read(others.map((id) => desk.row(id, { cancelled: true, remainingCount: 0 })))
  if (desk.stock.lots.length > 0) fill(sliced(71_000, second))
  return desk
}

const closedOf = (desk: Desk): readonly ClosedTrade[] =>
  desk.journal.flatMap((fact) => (fact.kind === 'lotSold' ? fact.trade : []))

test('fees of lots that slices split cost what the broker takes for each whole buy, to the won', () => {
  const lot = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1_000, max: 90_000 }))
  const slices = fc.integer({ min: 1, max: 9 })
  fc.assert(
    fc.property(
      fc.array(lot, { minLength: 1, maxLength: 5 }),
      slices,
      fc.nat(9),
      slices,
      (lots, first, filled, second) => {
        const desk = sellInSlices(lots, first, filled, second)
        expect(desk.stock.lots).toEqual([])
        const sales = [...desk.account.book.orders.values()].reduce(
          (all, { filledAmount }) => all + costOf('sell', filledAmount).fee,
          0,
        )
        const buys = lots.reduce((all, [count, price]) => all + costOf('buy', count * price).fee, 0)
        expect(closedOf(desk).reduce((all, { fee }) => all + fee, 0)).toBe(sales + buys)
        for (const { fee } of closedOf(desk)) expect(fee).toBeGreaterThanOrEqual(0)
      },
    ),
    { numRuns: 100 },
  )
})

test('fees and taxes of an order spread over its lots and parts cost what the broker takes for the whole, to the won', () => {
  const lot = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1_000, max: 90_000 }))
  fc.assert(
    fc.property(
      fc.array(lot, { minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 6 }),
      (lots, parts) => {
        const desk = sellInParts(lots, parts)
        const trades = closedOf(desk)
        const sum = (of: (trade: ClosedTrade) => number): number => trades.reduce((all, one) => all + of(one), 0)
        const order = desk.order(1)
        const sale = costOf('sell', order.filledAmount)
        const buys = lots.reduce((all, [count, price]) => all + costOf('buy', count * price).fee, 0)
        expect(order.filledCount).toBe(order.count)
        expect(sum(({ tax }) => tax)).toBe(sale.tax)
        expect(sum(({ fee }) => fee)).toBe(sale.fee + buys)
        for (const { fee, tax } of trades) expect(Math.min(fee, tax)).toBeGreaterThanOrEqual(0)
      },
    ),
    { numRuns: 60 },
  )
})
