import { describe, expect, test } from 'vitest'
import { CODE, Stage } from '../test/stage.ts'
import { fillsBy, type FillRule, type Traded } from './fills.ts'

const at = (low: number, high = low, last = high): Traded => ({ low, high, last })

/** A buy at 70,000 that rests as order 1. */
const buying = (): Stage => new Stage().price(70_000)
/** A sale at 70,700 that rests as order 2. */
const selling = (): Stage => buying().price(69_900)

test.each<[string, () => Stage, FillRule, Traded, [number, number][]]>([
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
  const stage = open()
  expect([...fillsBy(stage.state.account, stage.ctx, CODE, { traded, rule })]).toEqual(fills)
})

describe('where the order lies', () => {
  test('trades of another stock reach nothing', () => {
    const stage = buying()
    expect(fillsBy(stage.state.account, stage.ctx, '000660', { traded: at(1), rule: 'touch' }).size).toBe(0)
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
    const market = { traded: at(80_000), rule: 'touch' } as const
    expect(fillsBy(stage.state.account, stage.ctx, CODE, market).size).toBe(1)
    // 15:32, when KRX has closed and only the evening's prices come.
    stage.now += (5 * 60 + 32) * 60_000
    expect(fillsBy(stage.state.account, stage.ctx, CODE, market).size).toBe(0)
  })

  test('an ended order is filled no more', () => {
    const stage = selling().price(70_800)
    expect(fillsBy(stage.state.account, stage.ctx, CODE, { traded: at(99_000), rule: 'touch' }).size).toBe(0)
  })
})
