import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heldLot, ISSUE } from '../../test/desk.ts'
import { EXAMPLE } from '../../test/settings.ts'
import { kstInstant } from '../krx/kst.ts'
import { onGrid } from '../krx/tick.ts'
import { remainAmount, remainCount } from '../ladder/buy.ts'
import { adjustmentOf } from './adjustment.ts'
import { emptyBook, evolve } from './evolve.ts'
import type { BaseMove, Stock } from './types.ts'

function stockWith(lots: readonly (readonly [count: number, buyPrice: number])[], settings = {}): Stock {
  const fact = {
    kind: 'stockAdded',
    code: ISSUE.code,
    name: '',
    issue: ISSUE,
    settings: { ...EXAMPLE, ...settings },
    at: 0,
  } as const
  const stock = evolve(emptyBook('20261116'), fact).stocks.get(ISSUE.code)
  if (stock === undefined) throw new Error('no stock')
  return { ...stock, lots: lots.map(([count, price], at) => heldLot(at + 1, count, price)) }
}

const move = (close: number, base: number): BaseMove => ({ day: '20261116', close, base })
const lotsOf = ({ lots }: Pick<Stock, 'lots'>) => lots.map(({ id, count, buyPrice }) => `${id}: ${count} @ ${buyPrice}`)

describe('what a move of the base price does to a stock', () => {
  const PRICES = { lastBuyPrice: 69_300, maxBuyPrice: 75_000, minSellPrice: 71_000, useMinSellPrice: true }
  const three = [
    [2, 70_000],
    [2, 69_300],
    [2, 68_600],
  ] as const

  test('1:1 bonus issue, shares to come: prices halve, and half the cost waits for the new shares', () => {
    const { settings, lots, expected } = adjustmentOf(stockWith(three, PRICES), move(70_000, 35_000), 6)
    expect(settings).toMatchObject({ lastBuyPrice: 34_650, maxBuyPrice: 37_500, minSellPrice: 35_500 })
    expect(lotsOf({ lots })).toEqual(['1: 2 @ 35000', '2: 2 @ 34650', '3: 2 @ 34300'])
    expect(expected).toEqual({ count: 6, amount: 207_900 })
    expect(remainAmount(lots)).toBe(207_900)
  })

  test('what a person bought on the day itself is of the new share, and so is the reference it set', () => {
    const stock = stockWith([[2, 70_000]], { ...PRICES, lastBuyPrice: 34_900 })
    const bought = { ...heldLot(2, 3, 34_900), boughtAt: kstInstant('20261116', 93_000) }
    const both = { ...stock, lots: [...stock.lots, bought] }
    const bonus = adjustmentOf(both, move(70_000, 35_000), 5)
    expect(lotsOf(bonus)).toEqual(['1: 2 @ 35000', '2: 3 @ 34900'])
    expect([bonus.settings.lastBuyPrice, bonus.settings.maxBuyPrice]).toEqual([34_900, 37_500])
    expect(bonus.expected).toEqual({ count: 2, amount: 70_000 })
    const split = adjustmentOf(both, move(70_000, 35_000), 7)
    expect(lotsOf(split)).toEqual(['1: 4 @ 35000', '2: 3 @ 34900'])
    expect(split.expected).toBe(null)
  })

  // 110,000 ÷ 1.1 is 100,000 won; from a base one tick lower 1,000 shares would become 1,101.
  test('what was announced is more exact than two prices on the grid', () => {
    const stock = stockWith([[1_000, 110_000]])
    const seen = { ...move(110_000, 99_900), ratio: 1.1 }
    expect(adjustmentOf(stock, seen, 1_000).expected).toEqual({ count: 100, amount: 10_000_000 })
    expect(adjustmentOf(stock, move(110_000, 99_900), 1_000).expected).toMatchObject({ count: 101 })
    expect(lotsOf(adjustmentOf(stock, seen, 1_100))).toEqual(['1: 1100 @ 100000'])
    const three = { ...move(90_000, 30_000), ratio: 1 / 3 }
    expect(lotsOf(adjustmentOf(stockWith([[300_000, 10_000]]), three, 100_000))).toEqual(['1: 100000 @ 30000'])
  })

  test('1:5 split, shares there: five times the shares at a fifth of the price and the same cost', () => {
    const { settings, lots, expected } = adjustmentOf(stockWith(three, PRICES), move(70_000, 14_000), 30)
    expect(settings.lastBuyPrice).toBe(13_860)
    expect(lotsOf({ lots })).toEqual(['1: 10 @ 14000', '2: 10 @ 13860', '3: 10 @ 13720'])
    expect([remainAmount(lots), expected]).toEqual([415_800, null])
  })

  test('5:1 merger: what was less than one new share is gone, the cost of the others stays', () => {
    const stock = stockWith([
      [12, 14_000],
      [3, 14_000],
      [1, 14_000],
    ])
    const { lots } = adjustmentOf(stock, move(14_000, 70_000), 3)
    expect(lotsOf({ lots })).toEqual(['1: 2 @ 84000', '2: 1 @ 42000'])
  })

  test('paid increase of capital, no shares come by themselves: prices follow', () => {
    const { lots, expected } = adjustmentOf(stockWith([[10, 10_000]]), move(10_000, 9_500), 10)
    expect(lotsOf({ lots })).toEqual(['1: 10 @ 9500'])
    expect(expected).toBe(null)
  })

  test('5:1 merger of a single share, and the broker shows none: prices follow, the comparison says the rest', () => {
    const { lots, expected } = adjustmentOf(stockWith([[1, 1_000]]), move(14_000, 70_000), 0)
    expect([lotsOf({ lots }), expected]).toEqual([['1: 1 @ 5000'], null])
  })

  test('nothing held: settings only', () => {
    expect(adjustmentOf(stockWith([], PRICES), move(70_000, 35_000), 0)).toMatchObject({
      settings: { lastBuyPrice: 34_650 },
      lots: [],
      expected: null,
    })
  })

  test.each<[string, number, [number, number], number, string[], number, number | undefined]>([
    [
      'a split takes the shares that a person keeps with it',
      100,
      [70_000, 35_000],
      208,
      ['1: 4 @ 35000', '2: 4 @ 34650'],
      200,
      undefined,
    ],
    ['so does a merger', 100, [7_000, 70_000], 10, ['1: 0'], 10, undefined],
    ['what comes later comes to both', 100, [70_000, 35_000], 104, ['1: 2 @ 35000', '2: 2 @ 34650'], 100, 100],
    ['also where nothing is in the book', 7, [70_000, 35_000], 14, [], 14, undefined],
  ])('%s', (_name, kept, [close, base], held, lots, keptAfter, ofPerson) => {
    const two = [
      [2, 70_000],
      [2, 69_300],
    ] as const
    const stock = { ...stockWith(lots.length === 0 ? [] : two), kept }
    const after = adjustmentOf(stock, move(close, base), held)
    expect([lotsOf(after), after.kept, after.expected?.ofPerson]).toEqual([
      lots.filter((lot) => !lot.endsWith(': 0')),
      keptAfter,
      ofPerson,
    ])
  })

  // 2,003 ÷ 5 lies between two ticks: by those prices 1,000 shares would become 4,995, or 5,007.
  test.each([401, 400])(
    'shares that are there are divided as they are, whatever the prices are rounded to: %i',
    (base) => {
      const after = adjustmentOf({ ...stockWith([[1_000, 2_003]]), kept: 1_000 }, move(2_003, base), 10_000)
      expect([remainCount(after.lots), after.kept]).toEqual([5_000, 5_000])
    },
  )

  test('a fraction that is paid out goes by the prices', () => {
    const after = adjustmentOf({ ...stockWith([[15, 14_000]]), kept: 16 }, move(14_000, 70_000), 6)
    expect([remainCount(after.lots), after.kept]).toEqual([3, 3])
  })

  test('settings that are not set stay so', () => {
    const { settings } = adjustmentOf(
      stockWith([], { lastBuyPrice: null, maxBuyPrice: null, minSellPrice: null, autoBuy: false }),
      move(2, 1),
      0,
    )
    expect(settings).toMatchObject({ lastBuyPrice: null, maxBuyPrice: null, minSellPrice: null })
  })

  test('money and shares are never lost or made, prices keep to the grid', () => {
    const lot = fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1_000, max: 900_000 }))
    const ratio = fc.constantFrom([1, 1], [2, 1], [5, 1], [10, 1], [50, 1], [1, 5], [1, 10], [3, 2], [11, 10], [13, 7])
    fc.assert(
      fc.property(
        fc.array(lot, { minLength: 1, maxLength: 20 }),
        ratio,
        fc.boolean(),
        (held, [up = 1, down = 1], there) => {
          const stock = stockWith(held, PRICES)
          const before = { count: remainCount(stock.lots), amount: remainAmount(stock.lots) }
          const count = there ? Math.floor((before.count * up) / down) : before.count
          const close = 70_000 * up
          const { settings, lots, expected } = adjustmentOf(stock, move(close, 70_000 * down), count)
          const amount = remainAmount(lots) + (expected?.amount ?? 0)
          // Lots of less than one new share are paid out; a move without new shares takes its part of the cost with it. A
          // broker that shows none at all does not show the new number.
          const showsNew = there && count > 0 && count !== before.count
          const keepsCost = lots.length === stock.lots.length && (showsNew || expected !== null)
          expect(keepsCost ? amount : before.amount).toBe(before.amount)
          expect(remainCount(lots)).toBe(count === 0 && there ? before.count : count)
          for (const { count: one, buyAmount, buyPrice } of lots) {
            expect(one).toBeGreaterThan(0)
            expect(buyPrice * one).toBeGreaterThanOrEqual(buyAmount)
          }
          expect(onGrid(settings.maxBuyPrice ?? 0, 'stock')).toBe(true)
          expect(onGrid(settings.minSellPrice ?? 0, 'stock')).toBe(true)
        },
      ),
    )
  })
})
