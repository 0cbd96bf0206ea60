import type { ClosedTrade, Fact } from '@digger/core'
import { expect, test } from 'vitest'
import { type FillLine, fillsOf, gainText, type Total } from './fills.ts'

const NONE: ReadonlyMap<number, Total> = new Map()

const filled = (orderId: number, count: number, amount: number, at = 0): Fact => ({
  kind: 'orderFilled',
  orderId,
  count,
  amount,
  at,
})

const trade = (count: number, gain: number | null, code = 'A'): ClosedTrade => ({
  id: 1,
  code,
  count,
  buyPrice: 100,
  buyAmount: 100 * count,
  boughtAt: 0,
  sellPrice: gain === null ? null : 100,
  sellAmount: gain === null ? null : 100 * count + gain + 3,
  soldAt: 0,
  day: '20261116',
  fee: 1,
  tax: 2,
})
const sold = (...of: Parameters<typeof trade>): Fact => ({ kind: 'lotSold', lotId: 1, trade: trade(...of), at: 0 })

/** Rows of the journal one behind the other from `seq` on; those of `orders` say code and side. */
function linesOf(facts: readonly Fact[], seq = 1, side: 'buy' | 'sell' = 'buy', code = 'A'): FillLine[] {
  return facts.map((fact, index) => {
    const order =
      fact.kind === 'orderFilled' ? { code, side, name: `종목${code}` } : { code: null, side: null, name: null }
    return { seq: seq + index, at: fact.at, fact, ...order }
  })
}

const shown = (lines: readonly FillLine[], before = NONE): string[] =>
  fillsOf(lines, before).map(({ seq, kind, text, amounts }) => `${seq} ${kind}: ${text} | ${amounts}`)

test.each<[string, FillLine[], ReadonlyMap<number, Total>, string[]]>([
  [
    'a buy, filled whole',
    linesOf([filled(1, 1_234, 12_340_000)]),
    NONE,
    ['1 bought: 종목A 1,234주를 샀습니다 | 주당 10,000원, 모두 12,340,000원'],
  ],
  [
    'three parts: each says what it added',
    linesOf([filled(1, 1, 100), filled(1, 3, 301), filled(1, 10, 1_001)]),
    NONE,
    [
      '1 bought: 종목A 1주를 샀습니다 | 주당 100원, 모두 100원',
      '2 bought: 종목A 2주를 샀습니다 | 주당 101원, 모두 201원',
      '3 bought: 종목A 7주를 샀습니다 | 주당 100원, 모두 700원',
    ],
  ],
  [
    'a part before these lines',
    linesOf([filled(1, 10, 1_000)], 50),
    new Map([[1, { count: 9, amount: 899 }]]),
    ['50 bought: 종목A 1주를 샀습니다 | 주당 101원, 모두 101원'],
  ],
  ['the same total again', linesOf([filled(1, 10, 1_000)]), new Map([[1, { count: 10, amount: 1_000 }]]), []],
  ['an older total', linesOf([filled(1, 9, 900)]), new Map([[1, { count: 10, amount: 1_000 }]]), []],
  [
    'two orders in turn',
    linesOf([filled(1, 1, 100), filled(2, 5, 50), filled(1, 2, 200), filled(2, 6, 60)]),
    NONE,
    [
      '1 bought: 종목A 1주를 샀습니다 | 주당 100원, 모두 100원',
      '2 bought: 종목A 5주를 샀습니다 | 주당 10원, 모두 50원',
      '3 bought: 종목A 1주를 샀습니다 | 주당 100원, 모두 100원',
      '4 bought: 종목A 1주를 샀습니다 | 주당 10원, 모두 10원',
    ],
  ],
  [
    'a sale of three lots is one fill with all their gains',
    linesOf([filled(1, 10, 1_000), sold(2, 20), sold(3, -5), sold(5, 1)], 1, 'sell'),
    NONE,
    ['1 sold: 종목A 10주를 팔았습니다 | 주당 100원, 모두 1,000원, 순이익 +16원'],
  ],
  [
    'a loss',
    linesOf([filled(1, 2, 200), sold(2, -1_234)], 1, 'sell'),
    NONE,
    ['1 sold: 종목A 2주를 팔았습니다 | 주당 100원, 모두 200원, 순손실 -1,234원'],
  ],
  [
    'two parts of a sale, each with its own lots',
    linesOf([filled(1, 2, 200), sold(2, 7), filled(1, 5, 500), sold(1, 10), sold(2, 20)], 1, 'sell'),
    NONE,
    [
      '1 sold: 종목A 2주를 팔았습니다 | 주당 100원, 모두 200원, 순이익 +7원',
      '3 sold: 종목A 3주를 팔았습니다 | 주당 100원, 모두 300원, 순이익 +30원',
    ],
  ],
  [
    'a lot that was given up right behind a sale is none of its gain',
    linesOf([filled(1, 2, 200), sold(2, 7), sold(9, -900)], 1, 'sell'),
    NONE,
    ['1 sold: 종목A 2주를 팔았습니다 | 주당 100원, 모두 200원, 순이익 +7원'],
  ],
  [
    'nor is one of another stock, or one that other facts part from it',
    [
      ...linesOf([filled(1, 4, 400), sold(2, 7), sold(2, 100, 'B')], 1, 'sell'),
      ...linesOf([filled(2, 4, 400), sold(2, 9)], 10, 'sell'),
      ...linesOf([sold(2, 100)], 13, 'sell'),
    ],
    NONE,
    [
      '1 sold: 종목A 4주를 팔았습니다 | 주당 100원, 모두 400원, 순이익 +7원',
      '10 sold: 종목A 4주를 팔았습니다 | 주당 100원, 모두 400원, 순이익 +9원',
    ],
  ],
  ['corrections without a fill', linesOf([sold(3, null), sold(1, -3)], 1, 'sell'), NONE, []],
  [
    'an order that is nowhere any more',
    [{ seq: 1, at: 0, fact: filled(1, 1, 100), code: null, side: null, name: null }],
    NONE,
    [],
  ],
  [
    'a stock that was removed is named by its code',
    [{ seq: 1, at: 0, fact: filled(1, 1, 100), code: '005930', side: 'buy', name: null }],
    NONE,
    ['1 bought: 005930 1주를 샀습니다 | 주당 100원, 모두 100원'],
  ],
])('%s', (_name, lines, before, fills) => expect(shown(lines, before)).toEqual(fills))

test('a fill says the totals of its order, from which the next one counts on', () => {
  const [first] = fillsOf(linesOf([filled(7, 3, 301, 5_000)]), NONE)
  expect(first).toMatchObject({ at: 5_000, code: 'A' })
  expect(first?.fill).toEqual({
    order: 7,
    side: 'buy',
    count: 3,
    amount: 301,
    net: null,
    totalCount: 3,
    totalAmount: 301,
  })
  const next = fillsOf(linesOf([filled(7, 4, 402)]), new Map([[7, { count: 3, amount: 301 }]]))
  expect(next[0]?.fill).toMatchObject({ count: 1, amount: 101, totalCount: 4, totalAmount: 402 })
})

test.each([
  [0, '순이익 0원'],
  [1, '순이익 +1원'],
  [-1, '순손실 -1원'],
  [-1_234_567, '순손실 -1,234,567원'],
])('a net of %i', (net, text) => expect(gainText(net)).toBe(text))
