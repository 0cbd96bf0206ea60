import { describe, expect, test } from 'vitest'
import { EXAMPLE } from '../../test/settings.ts'
import { netGain } from '../krx/cost.ts'
import type { Lot, Settings } from './types.ts'
import { settingsWarnings, type WarnedSettings } from './warnings.ts'

const DAY = '20261116'
const lot = (count: number, buyPrice: number): Lot => ({
  id: 1,
  count,
  buyPrice,
  buyAmount: count * buyPrice,
  boughtAt: 0,
})
const warned = (settings: Partial<Settings>, over: Partial<WarnedSettings> = {}) =>
  settingsWarnings({
    settings: { ...EXAMPLE, ...settings },
    kind: 'stock',
    market: 'KOSPI',
    lots: [],
    heldAmount: 0,
    price: null,
    day: DAY,
    ...over,
  }).map(({ code, value }) => `${code} ${value}`)

describe('settings that lose or surprise', () => {
  test.each<[name: string, Partial<Settings>, Partial<WarnedSettings>, string[]]>([
    ['the worked example', {}, {}, []],
    ['a target below the costs', { sellPercent: 0.1 }, {}, ['losingTarget 0.24']],
    ['just below them', { sellPercent: 0.23 }, {}, ['losingTarget 0.24']],
    ['just above them', { sellPercent: 0.24 }, {}, []],
    ['an ETF pays no tax', { sellPercent: 0.1 }, { kind: 'etf' }, []],
    ['but brokerage', { sellPercent: 0.02 }, { kind: 'etf' }, ['losingTarget 0.04']],
    ['nothing is sold', { sellPercent: 0.1, autoSell: false }, {}, []],
    ['one buy takes all', { buyUnitPrice: 20_000_000, maxBuyAmount: 10_000_000 }, {}, ['unitAboveCap 10000000']],
    ['one share at a time does not', { buyUnitPrice: 1, maxBuyAmount: 1 }, {}, []],
    [
      'a floor above all buys',
      { useMinSellPrice: true, minSellPrice: 90_000, maxBuyPrice: 75_000 },
      {},
      ['floorAboveBuys 90000'],
    ],
    [
      'a buy that fills up what may be held',
      { lastBuyPrice: null, buyUnitPrice: 150_000, maxBuyAmount: 200_000 },
      { price: 70_000, heldAmount: 120_000 },
      ['buysAtOnce 1'],
    ],
    [
      'and none where no share fits',
      { lastBuyPrice: null, buyUnitPrice: 150_000, maxBuyAmount: 200_000 },
      { price: 70_000, heldAmount: 140_000 },
      [],
    ],
    ['a floor within reach', { useMinSellPrice: true, minSellPrice: 75_000, maxBuyPrice: 75_000 }, {}, []],
    ['a floor that is not used', { useMinSellPrice: false, minSellPrice: 90_000, maxBuyPrice: 75_000 }, {}, []],
    ['a price at the next buy', { lastBuyPrice: 70_000, buyUnitPrice: 200_000 }, { price: 69_300 }, ['buysAtOnce 2']],
    ['a tick above it', { lastBuyPrice: 70_000 }, { price: 69_400 }, []],
    ['a price that a unit does not pay', { lastBuyPrice: 70_000, buyUnitPrice: 60_000 }, { price: 69_300 }, []],
    [
      'lots far in profit',
      { sellPercent: 1.2 },
      { lots: [lot(10, 60_000), lot(2, 70_000)], price: 69_000 },
      ['sellsAtOnce 10'],
    ],
    ['exactly at a target', { sellPercent: 1.2 }, { lots: [lot(10, 60_000)], price: 60_800 }, ['sellsAtOnce 10']],
    ['a tick below it', { sellPercent: 1.2 }, { lots: [lot(10, 60_000)], price: 60_700 }, []],
    [
      'the average of all',
      { sellPercent: 1.2, autoSellWithAvgPrice: true },
      { lots: [lot(10, 60_000), lot(10, 80_000)], price: 70_900 },
      ['sellsAtOnce 20'],
    ],
  ])('%s', (_name, settings, over, expected) => {
    expect(warned({ autoBuy: over.lots === undefined, ...settings }, over)).toEqual(expected)
  })
})

test('a target at the limit that is told loses nothing, one below it does', () => {
  const [warning] = settingsWarnings({
    settings: { ...EXAMPLE, sellPercent: 0.01 },
    kind: 'stock',
    market: 'KOSDAQ',
    lots: [],
    heldAmount: 0,
    price: null,
    day: DAY,
  })
  const percent = warning?.value ?? 0
  const gainAt = (sellPercent: number): number =>
    netGain({
      market: 'KOSDAQ',
      kind: 'stock',
      buyAmount: 10_000_000,
      buyDay: DAY,
      sellAmount: 10_000_000 * (1 + sellPercent / 100),
      sellDay: DAY,
    })
  expect(gainAt(percent)).toBeGreaterThanOrEqual(0)
  expect(gainAt(percent - 0.02)).toBeLessThan(0)
})
