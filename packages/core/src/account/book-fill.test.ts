import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Desk } from '../../test/desk.ts'
import { costs } from '../krx/cost.ts'

const DAY = '20261116'
const costOf = (side: 'buy' | 'sell', amount: number) =>
  costs({ side, amount, market: 'KOSPI', kind: 'stock', day: DAY })

/** One order sells all lots at their average target, in so many parts. */
function sellInParts(lots: readonly (readonly [count: number, price: number])[], parts: readonly number[]): Desk {
  const desk = new Desk({ autoBuy: false, autoSellWithAvgPrice: true })
  lots.forEach(([count, price], at) => desk.hold([at + 1, count, price]))
  // Lots of the day they are sold on, so that both sides have the rates of one day.
  for (const lot of desk.stock.lots)
    desk.putFacts({ kind: 'lotBought', code: desk.stock.issue.code, lot: { ...lot, boughtAt: desk.now }, at: desk.now })
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

test('fees and taxes of an order spread over its lots and parts cost what the broker takes for the whole, to the won', () => {
  const lot = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1_000, max: 90_000 }))
  fc.assert(
    fc.property(
      fc.array(lot, { minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 6 }),
      (lots, parts) => {
        const desk = sellInParts(lots, parts)
        const trades = desk.journal.flatMap((fact) => (fact.kind === 'lotSold' ? fact.trade : []))
        const sum = (of: (trade: (typeof trades)[number]) => number): number =>
          trades.reduce((all, one) => all + of(one), 0)
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
