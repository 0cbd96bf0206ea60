import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { IssueKind } from '../krx/types.ts'
import type { Lot, Settings } from './types.ts'
import { tickBelow } from '../krx/tick.ts'
import { nextBuyPrice, planBuy, remainAmount, remainCount } from './buy.ts'
import { anyKind, anySettings, EXAMPLE, lot } from '../../test/settings.ts'
import { fallingBuys, worstCase, type WorstCase } from './worst.ts'

describe('worst case', () => {
  test.each<[string, Partial<Settings>, number, WorstCase | null]>([
    [
      'one share each: three, and the rest when the price fits what is left',
      { buyUnitPrice: 1, maxBuyAmount: 223_000, maxBuyPrice: 75_000 },
      0,
      { buys: 4, amount: 223_000, shares: 4, lastPrice: 400 },
    ],
    ['nothing to spend', { maxBuyAmount: 10_000_000 }, 10_000_000, null],
    ['overspent', { maxBuyAmount: 10_000_000 }, 12_000_000, null],
    ['no highest price', { maxBuyPrice: null }, 0, null],
    ['no unit', { buyUnitPrice: null }, 0, null],
    [
      'one won, one share',
      { maxBuyPrice: 1, maxBuyAmount: 5, buyUnitPrice: 1 },
      0,
      { buys: 1, amount: 1, shares: 1, lastPrice: 1 },
    ],
  ])('%s', (_name, change, spent, expected) =>
    expect(worstCase({ ...EXAMPLE, ...change }, 'stock', { spent })).toEqual(expected),
  )
})

/** The same by brute force: the price sinks one tick at a time and every tick asks planBuy. */
function sink(settings: Settings, kind: IssueKind, from: number | null = null): WorstCase | null {
  const lots: Lot[] = []
  let reference = settings.lastBuyPrice
  for (let price = from ?? nextBuyPrice(settings, kind) ?? 0; price > 0; price = tickBelow(price, kind)) {
    const plan = planBuy({
      settings: { ...settings, lastBuyPrice: reference },
      kind,
      heldAmount: remainAmount(lots),
      liveBuyAmount: 0,
      price,
      buyableCount: null,
      band: null,
    })
    if (plan.kind !== 'buy') continue
    lots.push(lot(lots.length + 1, plan.count, plan.price))
    reference = plan.price
  }
  const last = lots.at(-1)
  return last
    ? { buys: lots.length, amount: remainAmount(lots), shares: remainCount(lots), lastPrice: last.buyPrice }
    : null
}

test('is what really happens when the price sinks tick by tick', () => {
  fc.assert(
    fc.property(anySettings, anyKind, fc.integer({ min: 1, max: 100_000 }), (settings, kind, maxBuyPrice) => {
      const sane = { ...settings, maxBuyPrice }
      expect(worstCase(sane, kind)).toEqual(sink(sane, kind))
    }),
    { numRuns: 60 },
  )
})

test('from the price that is there: what is lower than the next buy is bought there', () => {
  const prices = fc.tuple(fc.integer({ min: 1, max: 50_000 }), fc.integer({ min: 1, max: 60_000 }))
  fc.assert(
    fc.property(anySettings, anyKind, prices, (settings, kind, [maxBuyPrice, price]) => {
      const sane = { ...settings, maxBuyPrice }
      expect(worstCase(sane, kind, { price })).toEqual(sink(sane, kind, price))
    }),
    { numRuns: 60 },
  )
  const [first, second] = fallingBuys({ ...EXAMPLE, maxBuyPrice: 200_000 }, 'stock', { price: 152_800 })
  expect([first?.price, second?.price]).toEqual([152_800, 151_200])
  // A trade between two prices of the grid is bought at the upper one.
  const [upper] = fallingBuys({ ...EXAMPLE, maxBuyPrice: 200_000 }, 'stock', { price: 152_750 })
  expect(upper?.price).toBe(152_800)
})

test('the worked example, frozen', () => {
  const settings = { ...EXAMPLE, lastBuyPrice: 70_000 }
  expect(worstCase(settings, 'stock', { spent: 140_000 })).toEqual(
    sink({ ...settings, maxBuyAmount: 9_860_000 }, 'stock'),
  )
  // 140,000 won of the cap is held already. The 57th buy is one share that fits what is left of the cap.
  expect(worstCase(settings, 'stock', { spent: 140_000 })).toEqual({
    buys: 57,
    amount: 9_860_000,
    shares: 196,
    lastPrice: 6_700,
  })
})
