import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Lot, Settings } from './types.ts'
import { onGrid, tickSize } from '../krx/tick.ts'
import { remainCount } from './buy.ts'
import {
  averagePrice,
  averageTarget,
  lotTarget,
  planSells,
  lowestBuyPrice,
  referenceAfterSale,
  sliceSell,
  type SellInput,
} from './sell.ts'
import { anyKind, anyLots, anySettings, EXAMPLE, lot } from '../../test/settings.ts'

const min = (minSellPrice: number) => ({ useMinSellPrice: true, minSellPrice })

describe('the target of one lot', () => {
  test.each<[string, number, Partial<Settings>, number]>([
    ['1.2 % up, rounded up to a tick', 68_600, {}, 69_500],
    ['70,131.6 → 70,200', 69_300, {}, 70_200],
    ['70,840 → 70,900', 70_000, {}, 70_900],
    ['exactly on a tick stays there', 100_000, { sellPercent: 10 }, 110_000],
    ['one won over goes a tick up', 100_001, { sellPercent: 10 }, 110_100],
    ['across a band the coarser tick counts', 49_400, {}, 50_000],
    ['a hundredth of a percent is at least a tick up', 70_000, { sellPercent: 0.01 }, 70_100],
    ['the lowest sell price lifts it', 68_600, min(72_000), 72_000],
    ['… rounded up to a tick', 68_600, min(72_001), 72_100],
    ['… and does nothing below it', 68_600, min(69_400), 69_500],
    ['… nor when switched off', 68_600, { useMinSellPrice: false, minSellPrice: 72_000 }, 69_500],
  ])('%s', (_name, buyPrice, change, target) =>
    expect(lotTarget(buyPrice, { ...EXAMPLE, ...change }, 'stock')).toBe(target),
  )
})

describe('average', () => {
  test.each<[string, Lot[], number | null, number | null]>([
    ['nothing held', [], null, null],
    ['one lot', [lot(1, 2, 70_000)], 70_000, 70_900],
    ['three lots', [lot(1, 2, 70_000), lot(2, 2, 69_300), lot(3, 2, 68_600)], 69_300, 70_200],
    ['rounded up to a won', [lot(1, 2, 70_000), lot(2, 1, 69_300)], 69_767, 70_700],
    ['from what was paid, not from rounded lot prices', [{ ...lot(1, 3, 70_034), buyAmount: 210_100 }], 70_034, 70_900],
  ])('%s', (_name, lots, average, target) => {
    expect(averagePrice(lots)).toBe(average)
    expect(averageTarget(lots, EXAMPLE, 'stock')).toBe(target)
  })
  test('the lowest sell price a person set binds here too', () => {
    const settings = { ...EXAMPLE, useMinSellPrice: true, minSellPrice: 80_050 }
    expect(averageTarget([lot(1, 2, 70_000)], settings, 'stock')).toBe(80_100)
  })
})

const LOTS = [lot(1, 2, 70_000), lot(2, 2, 69_300), lot(3, 2, 68_600)]
const input: SellInput = { settings: EXAMPLE, kind: 'stock', lots: LOTS, band: { lower: 48_600, upper: 90_000 } }
function show(change: Partial<SellInput>, settings: Partial<Settings> = {}): string {
  const { orders, reasons } = planSells({ ...input, ...change, settings: { ...EXAMPLE, ...settings } })
  const sold = orders.map(
    (order) => `${order.lots.map((part) => `${part.lotId}:${part.count}`).join(',')}@${order.price}`,
  )
  return [...sold, ...reasons.map((reason) => reason.code)].join(' ')
}

describe('which sells rest', () => {
  test.each<[string, Partial<SellInput>, Partial<Settings>, string]>([
    ['each lot at its target, lowest first', {}, {}, '3:2@69500 2:2@70200 1:2@70900 resting'],
    [
      'equal targets: the older lot first',
      { lots: [lot(5, 1, 70_000), lot(4, 3, 70_000)] },
      {},
      '4:3@70900 5:1@70900 resting',
    ],
    [
      'average mode: one order, booked lowest target first',
      {},
      { autoSellWithAvgPrice: true },
      '3:2,2:2,1:2@70200 resting',
    ],
    ['switched off', {}, { autoSell: false }, 'autoSellOff'],
    ['nothing held', { lots: [] }, {}, 'nothingHeld'],
    ['nothing held, average mode', { lots: [] }, { autoSellWithAvgPrice: true }, 'nothingHeld'],
    ['a target at a loss is not placed', {}, { sellPercent: -1 }, 'badSettings'],
    ['a lowest sell price without a price holds everything', {}, { useMinSellPrice: true }, 'badSettings'],
    ['exactly at the upper limit', { band: { lower: 1, upper: 70_900 } }, {}, '3:2@69500 2:2@70200 1:2@70900 resting'],
    ['a tick above it waits', { band: { lower: 1, upper: 70_800 } }, {}, '3:2@69500 2:2@70200 resting aboveBand'],
    ['all above wait', { band: { lower: 1, upper: 69_400 } }, {}, 'aboveBand'],
    [
      'below the lower limit waits',
      { band: { lower: 70_000, upper: 90_000 } },
      {},
      '2:2@70200 1:2@70900 resting belowBand',
    ],
    [
      'average mode above the limit',
      { band: { lower: 1, upper: 70_100 } },
      { autoSellWithAvgPrice: true },
      'aboveBand',
    ],
    ['limits unknown', { band: null }, {}, '3:2@69500 2:2@70200 1:2@70900 resting'],
  ])('%s', (_name, change, settings, expected) => expect(show(change, settings)).toBe(expected))

  test('its reasons are sentences with the numbers in them', () => {
    const { reasons } = planSells({ ...input, band: { lower: 1, upper: 70_800 } })
    expect(reasons.map((reason) => reason.text)).toEqual([
      '4주를 2건으로 매도합니다. 가장 가까운 매도가는 69,500원입니다.',
      '1건은 매도가 70,900원부터 오늘 상한가 70,800원보다 높아 기다립니다.',
    ])
  })
})

describe('reference after a sale', () => {
  test.each<[string, Lot[], boolean, number | null]>([
    ['back to the lowest lot held', [lot(1, 2, 70_000), lot(2, 2, 69_300)], true, 69_300],
    ['nothing left: the sale price', [], true, 69_500],
    ['REC off: it stays', [lot(1, 2, 70_000)], false, 68_600],
    ['REC off and nothing left: it stays', [], false, 68_600],
  ])('%s', (_name, open, recoverLastBuyPrice, expected) => {
    expect(referenceAfterSale(lowestBuyPrice(open), { recoverLastBuyPrice }, 68_600, 69_500)).toBe(expected)
  })
})

describe('slices', () => {
  test.each([
    [10, 1, [10]],
    [10, 3, [4, 3, 3]],
    [11, 3, [5, 3, 3]],
    [9, 3, [3, 3, 3]],
    [2, 5, [1, 1]],
    [1, 1, [1]],
    [0, 3, []],
    [10, 0, [10]],
  ])('%i shares in %i', (count, slices, expected) => expect(sliceSell(count, slices)).toEqual(expected))

  test('add up, never empty, never more than asked', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 200 }), (count, slices) => {
        const parts = sliceSell(count, slices)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(count)
        expect(parts).toHaveLength(Math.min(count, slices))
        expect(Math.min(...parts)).toBeGreaterThan(0)
        expect(new Set(parts.slice(1)).size).toBeLessThan(2)
        expect(Math.max(...parts)).toBe(parts[0])
      }),
    )
  })
})

const asked = (price: number, percent: number): bigint => BigInt(price) * BigInt(10_000 + Math.round(percent * 100))

test('no lot is ever offered below what was asked, off the grid, or more than a tick too high', () => {
  fc.assert(
    fc.property(anySettings, anyKind, fc.integer({ min: 1, max: 2_000_000 }), (settings, kind, buyPrice) => {
      const target = lotTarget(buyPrice, settings, kind)
      expect(onGrid(target, kind)).toBe(true)
      expect(BigInt(target) * 10_000n).toBeGreaterThanOrEqual(asked(buyPrice, settings.sellPercent))
      const floor = settings.useMinSellPrice ? (settings.minSellPrice ?? 0) : 0
      expect(target).toBeGreaterThanOrEqual(floor)
      const oneLess = target - tickSize(target - 1, kind)
      const tooLow = BigInt(oneLess) * 10_000n < asked(buyPrice, settings.sellPercent) || oneLess < floor
      expect(tooLow).toBe(true)
      expect(lotTarget(buyPrice + 1, settings, kind)).toBeGreaterThanOrEqual(target)
    }),
  )
})

test('the orders hold every share once, in booking order, at or above the average target’s promise', () => {
  fc.assert(
    fc.property(anySettings, anyKind, anyLots, (settings, kind, lots) => {
      const { orders } = planSells({ settings, kind, lots, band: null })
      const parts = orders.flatMap((order) => order.lots)
      expect(parts.map((part) => part.lotId).sort((a, b) => a - b)).toEqual(lots.map(({ id }) => id))
      expect(orders.reduce((sum, order) => sum + order.count, 0)).toBe(remainCount(lots))
      const targets = parts.map((part) => lotTarget(lots[part.lotId - 1]?.buyPrice ?? 0, settings, kind))
      expect(targets).toEqual(targets.toSorted((a, b) => a - b))
      expect(orders.length).toBe(settings.autoSellWithAvgPrice ? Math.min(1, lots.length) : lots.length)
      const income = orders.reduce((sum, order) => sum + order.count * order.price, 0)
      const paid = lots.reduce((sum, { buyAmount }) => sum + buyAmount, 0)
      expect(BigInt(income) * 10_000n).toBeGreaterThanOrEqual(asked(paid, settings.sellPercent))
    }),
  )
})
