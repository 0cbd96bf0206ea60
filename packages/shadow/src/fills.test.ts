import { describe, expect, test } from 'vitest'
import { CODE, Stage } from '../test/stage.ts'
import { fillsBy, tradeOf, withTrade, type FillRule, type Traded } from './fills.ts'

type Prices = Omit<Traded, 'at'>

const at = (low: number, high = low, first = high): Prices => ({ low, high, first })

/** What these trades of a moment later fill. */
const filled = (stage: Stage, prices: Prices, rule: FillRule = 'touch', code = CODE): [number, number][] => {
  const traded = { ...prices, at: stage.now + 1 }
  return [...fillsBy(stage.state.account, { ...stage.ctx, now: traded.at }, code, { traded, rule })]
}

/** A buy at 70,000 that rests as order 1. */
const buying = (): Stage => new Stage().price(70_000)
/** A sale at 70,700 that rests as order 2. */
const selling = (): Stage => buying().price(69_900)

test.each<[string, () => Stage, FillRule, Prices, [number, number][]]>([
  ['a buy, and a trade above', buying, 'through', at(70_100), []],
  ['a buy, and a trade at its price', buying, 'through', at(70_000), []],
  ['a buy, and a trade below', buying, 'through', at(69_900), [[1, 70_000]]],
  ['the kinder rule: above', buying, 'touch', at(70_100), []],
  ['the kinder rule: at its price', buying, 'touch', at(70_000), [[1, 70_000]]],
  ['several trades: the lowest counts', buying, 'through', at(69_900, 71_000), [[1, 70_000]]],
  ['a sale, and a trade below', selling, 'through', at(70_600), []],
  ['a sale, and a trade at its price', selling, 'through', at(70_700), []],
  ['a sale, and a trade above', selling, 'through', at(70_800), [[2, 70_700]]],
  ['a sale far below the market is still sold at its own price', selling, 'through', at(80_000), [[2, 70_700]]],
  ['the cautious rule: a buy at its price', buying, 'cautious', at(70_000), [[1, 70_000]]],
  ['the cautious rule: a sale at its price', selling, 'cautious', at(70_700), []],
  ['the cautious rule: a sale beyond it', selling, 'cautious', at(70_800), [[2, 70_700]]],
  ['the kinder rule: a sale at its price', selling, 'touch', at(70_700), [[2, 70_700]]],
  ['several trades: the highest counts', selling, 'through', at(60_000, 70_800, 60_000), [[2, 70_700]]],
])('%s', (_name, open, rule, traded, fills) => {
  expect(filled(open(), traded, rule)).toEqual(fills)
})

describe('where the order lies', () => {
  test('trades of another stock reach nothing', () => {
    expect(filled(buying(), at(1), 'touch', '000660')).toEqual([])
  })

  test('the evening of the other exchange does not reach an order of KRX', () => {
    const stage = selling()
    stage.add(
      {
        kind: 'issueChanged',
        code: CODE,
        name: '삼성전자',
        issue: { code: CODE, kind: 'stock', market: 'KOSPI', nxt: true },
        at: 0,
      },
      { kind: 'venuesChosen', venues: { sor: false, preMarket: false, afterMarket: true }, at: 0 },
    )
    expect(filled(stage, at(80_000))).toHaveLength(1)
    // 15:32, when KRX has closed and only the evening's prices come.
    stage.now += (5 * 60 + 32) * 60_000
    expect(filled(stage, at(80_000))).toEqual([])
  })

  test('an ended order is filled no more', () => {
    expect(filled(selling().price(70_800), at(99_000))).toEqual([])
  })
})

describe('what a trade is', () => {
  const quote = { price: 70_000, at: 5, live: false, halted: false, band: null }

  test('one that was seen, also the first after a gap; no price that was only read, and none while the stock stands still', () => {
    expect(tradeOf(quote)).toEqual({ price: 70_000, at: 5 })
    expect(tradeOf({ ...quote, shownAt: 6 })).toBeNull()
    expect(tradeOf({ ...quote, halted: true })).toBeNull()
  })

  test('several are looked at together', () => {
    const two = withTrade(withTrade(null, { price: 3, at: 1 }), { price: 5, at: 2 })
    expect(withTrade(two, { price: 1, at: 3 })).toEqual({ low: 1, high: 5, first: 3, at: 3 })
  })
})

describe('when it counts', () => {
  test('what was traded before an order was made does not fill it', () => {
    const stage = buying()
    const traded = { ...at(70_000), at: stage.now - 1 }
    expect(fillsBy(stage.state.account, stage.ctx, CODE, { traded, rule: 'touch' }).size).toBe(0)
  })

  test.each([
    ['08:59, in the opening auction', -(61 * 60), 0],
    ['09:00', -(60 * 60), 1],
    ['15:25, in the closing auction', 5 * 3_600 + 25 * 60, 0],
    ['15:30:05, the trade of the closing auction', 5 * 3_600 + 30 * 60 + 5, 1],
    ['15:36, when nothing can be traded any more', 5 * 3_600 + 36 * 60, 0],
    ['the next morning before the opening', 22 * 3_600, 0],
  ])('an order of KRX at %s', (_name, seconds, fills) => {
    const stage = selling()
    const orders = new Map([...stage.state.account.book.orders].map(([id, order]) => [id, { ...order, createdAt: 0 }]))
    const account = { ...stage.state.account, book: { ...stage.state.account.book, orders } }
    const now = stage.now + seconds * 1_000 - (stage.now % 60_000)
    const market = { traded: { ...at(80_000), at: now }, rule: 'touch' } as const
    expect(fillsBy(account, { ...stage.ctx, now }, CODE, market).size).toBe(fills)
  })
})
