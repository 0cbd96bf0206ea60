import type { Trade } from '@digger/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newStock } from './draft.ts'
import { amountOf, ladderCounts, ladderOf } from './ladderSteps.ts'
import { distanceText } from './distance.ts'
import { stairsLayout } from './trade/stairsLayout.ts'

const lot = (id: number, buyCount: number, buyPrice: number, change: Partial<Trade> = {}): Trade => ({
  id,
  buyDateTime: '2026-11-20T10:00:00.000+09:00',
  buyCount,
  buyPrice,
  sellDateTime: null,
  sellPrice: null,
  gainAmount: null,
  gainRatio: null,
  netGainAmount: null,
  buying: false,
  takenOver: false,
  sellOrderId: null,
  targetPrice: null,
  ...change,
})
/** Two lots of 10 at 100,000 and 99,000 of a cap of ten millions, a million each, one percent apart. */
const stock = {
  ...newStock('u1', '005930'),
  price: 98_500,
  remainCount: 20,
  remainAmount: 1_990_000,
  maxBuyPrice: 120_000,
  maxBuyAmount: 10_000_000,
  buyUnitPrice: 1_000_000,
  lastBuyPrice: 99_000,
  buyPercent: -1,
  autoBuy: true,
}
const trades = [lot(2, 10, 99_000), lot(1, 10, 100_000)]

describe('the ladder', () => {
  test('begins with what is held, then the next step and those left, down to the cap', () => {
    const { steps, spent, cap, out } = ladderOf(stock, trades)
    expect(steps.slice(0, 4)).toMatchObject([
      { kind: 'held', price: 100_000, count: 10 },
      { kind: 'held', price: 99_000, count: 10 },
      { kind: 'next', price: 98_000, count: 10 },
      { kind: 'left', price: 97_000, count: 10 },
    ])
    expect([spent, cap, out]).toEqual([1_990_000, 10_000_000, 0])
    expect(steps.filter(({ kind }) => kind === 'next')).toHaveLength(1)
    expect(amountOf(steps)).toBeGreaterThan(9_800_000)
  })
  test('never costs more than its cap, and falls from step to step', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 2_000_000 }),
        fc.integer({ min: 10_000, max: 50_000_000 }),
        fc.integer({ min: 1, max: 5_000_000 }),
        fc.double({ min: -30, max: -0.1, noNaN: true }),
        (price, maxBuyAmount, buyUnitPrice, buyPercent) => {
          const fresh = {
            ...newStock('u1', '005930'),
            price,
            maxBuyPrice: price,
            maxBuyAmount,
            buyUnitPrice,
            buyPercent,
          }
          const { steps } = ladderOf(fresh)
          expect(amountOf(steps)).toBeLessThanOrEqual(maxBuyAmount)
          const prices = steps.map((step) => step.price)
          expect(prices).toEqual(prices.toSorted((a, b) => b - a))
        },
      ),
      { numRuns: 50 },
    )
  })
  test('holds what has no trade as one step: shares that come later, and trades not read yet', () => {
    expect(ladderOf(stock).steps[0]).toEqual({ kind: 'held', price: 99_500, count: 20 })
    expect(ladderOf({ ...stock, remainCount: 25, remainAmount: 2_490_000 }, trades).steps[2]).toEqual({
      kind: 'held',
      price: 100_000,
      count: 5,
    })
  })
  test('without a cap, or with all of it used, nothing is left', () => {
    expect(ladderOf({ ...stock, maxBuyAmount: null }, trades).steps).toHaveLength(2)
    expect(ladderOf({ ...stock, maxBuyAmount: 2_000_000 }, trades).steps).toHaveLength(2)
  })
  test('of single shares ends where the price has halved; the next step is there however far it is', () => {
    const single = ladderOf({ ...stock, buyUnitPrice: 1 }, trades)
    expect(single.usesCap).toBe(false)
    expect(single.steps.at(-1)?.price).toBeGreaterThanOrEqual(98_500 / 2)
    expect(ladderOf(stock, trades).usesCap).toBe(true)
    const far = ladderOf({ ...stock, lastBuyPrice: 20_000 }, trades)
    expect(far.steps.filter(({ kind }) => kind !== 'held')).toMatchObject([{ kind: 'next', price: 19_800 }])
  })
  test('in steps for a card, with and without its trades', () => {
    const buying = [lot(2, 10, 99_000, { buying: true }), lot(1, 10, 100_000)]
    expect(ladderCounts(stock, buying)).toMatchObject({ held: 1, out: 1, next: true })
    expect(ladderCounts(stock)).toMatchObject({ held: 3, out: 0, next: true })
    expect(ladderCounts(newStock('u1', '005930'))).toEqual({ held: 0, out: 0, next: false, left: 0 })
  })
})

test('stairs lie beside each other within the plot, as wide as their money and as high as their price', () => {
  const ladder = ladderOf(stock, trades)
  const { stairs, scale, present } = stairsLayout(ladder, { price: 98_500, right: 222, top: 12, bottom: 175 })
  expect(stairs.every(({ x, width }, at) => x + width <= (stairs[at + 1]?.x ?? 222.001))).toBe(true)
  expect(stairs.every(({ height }, at) => height > (stairs[at + 1]?.height ?? 0))).toBe(true)
  expect(present).toBe(98_500)
  expect(scale.low).toBeLessThan(ladder.steps.at(-1)?.price ?? 0)
  // A price far above all steps does not flatten them.
  expect(stairsLayout(ladder, { price: 500_000, right: 222, top: 12, bottom: 175 })).toMatchObject({
    scale,
    present: null,
  })
})

test.each([
  [146_500, 146_100, '−0.3%'],
  [146_500, 149_400, '+2.0%'],
  [100_000, 99_990, '지금'],
  [null, 100, ''],
])('from %s to %d: %s', (price, to, text) => expect(distanceText(price, to)).toBe(text))
