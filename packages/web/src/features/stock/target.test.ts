import { planSells } from '@digger/core'
import * as fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { number } from '../../format/won.ts'
import { newStock } from './draft.ts'
import { StockCard } from './StockCard.tsx'
import { averagePriceOf, averageTargetOf } from './target.ts'
import { linesOf } from './trade/priceLines.ts'

const comparing = () => expect.hasAssertions()
beforeEach(comparing)

type Change = Partial<ReturnType<typeof newStock>>
/** Six shares for 69,300 won each, sold all at once. */
const stockWith = (change: Change) => ({
  ...newStock('u1', '005930'),
  remainCount: 6,
  remainAmount: 415_800,
  price: 71_000,
  autoSell: true,
  autoSellWithAvgPrice: true,
  ...change,
})
type Stock = ReturnType<typeof stockWith>

const cardOf = (stock: Stock) =>
  renderToStaticMarkup(createElement(StockCard, { stock, withSavedGain: false, showDetail: false }))
const targetLines = (stock: Stock) => linesOf(stock, []).flatMap(({ name, price }) => (name === '목표' ? [price] : []))

/** What the engine would offer for the lots behind these sums. */
function restingPrice(stock: Stock): number | undefined {
  const { kind, remainCount: count, remainAmount: buyAmount } = stock
  const lot = { id: 1, count, buyAmount, buyPrice: Math.ceil(buyAmount / count), boughtAt: 0 }
  return planSells({ settings: stock, kind, lots: [lot], band: null }).orders[0]?.price
}

describe('the target of a position that is sold at once', () => {
  test.each<[string, Change, number]>([
    ['is rounded up to a tick: 69,300 and 1.2 % are 70,131.6', {}, 70_200],
    ['keeps every digit of the percentage', { sellPercent: 1.234 }, 70_200],
    ['is never below the lowest sell price', { useMinSellPrice: true, minSellPrice: 75_000 }, 75_000],
    ['ignores a lowest sell price that is switched off', { minSellPrice: 75_000 }, 70_200],
    ['follows the ticks of an ETF', { kind: 'etf' }, 70_135],
  ])('%s', (_name, change, price) => {
    const stock = stockWith(change)
    expect(restingPrice(stock)).toBe(price)
    expect(cardOf(stock)).toContain(`목표가</dt><dd>${number(price)}원`)
    expect(targetLines(stock)).toEqual([price])
  })

  test('leaves out what a correction brought, as the order does', () => {
    const stock = stockWith({ remainCount: 8, remainAmount: 455_800, takenOver: { count: 2, amount: 40_000 } })
    expect([
      averageTargetOf(stock, stock),
      averageTargetOf({ ...stock, takenOver: { count: 8, amount: 455_800 } }, stock),
    ]).toEqual([70_200, null])
  })

  test('is on the screen the price at which the order would rest, whatever the settings', () => {
    const settings = fc.record({
      kind: fc.constantFrom('stock' as const, 'etf' as const),
      remainCount: fc.integer({ min: 1, max: 10_000 }),
      remainAmount: fc.integer({ min: 1, max: 3_000_000_000 }),
      sellPercent: fc.integer({ min: 1, max: 300_000 }).map((n) => n / 10_000),
      useMinSellPrice: fc.boolean(),
      minSellPrice: fc.integer({ min: 1, max: 1_000_000 }),
    })
    fc.assert(
      fc.property(settings, (change) => {
        const stock = stockWith(change)
        expect(averageTargetOf(stock, stock)).toBe(restingPrice(stock))
      }),
    )
  })

  test('is unknown while nothing is held, and so is the average', () => {
    const stock = stockWith({ remainCount: 0, remainAmount: 0 })
    expect([averageTargetOf(stock, stock), averagePriceOf(stock)]).toEqual([null, null])
    expect(targetLines(stock)).toEqual([])
  })
})

test('the average is rounded up to a won', () => {
  expect(averagePriceOf(stockWith({}))).toBe(69_300)
  expect(averagePriceOf(stockWith({ remainCount: 7 }))).toBe(59_400)
  expect(averagePriceOf(stockWith({ remainCount: 7, remainAmount: 415_801 }))).toBe(59_401)
})
