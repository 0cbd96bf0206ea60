import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Settings } from './types.ts'
import { ceilToTick, onGrid, tickSize } from '../krx/tick.ts'
import { nextBuyPrice, planBuy, referenceAfterBuy, remainAmount, type BuyInput } from './buy.ts'
import { anyKind, anyLots, anySettings, EXAMPLE, lot } from '../../test/settings.ts'

describe('next buy price', () => {
  test.each<[string, Partial<Settings>, number | null]>([
    ['before the first buy: the highest buy price', {}, 75_000],
    ['… cut down to the grid', { maxBuyPrice: 75_099 }, 75_000],
    ['1 % below the reference', { lastBuyPrice: 70_000 }, 69_300],
    ['cut down to a tick', { lastBuyPrice: 69_300 }, 68_600],
    ['never above the highest buy price', { lastBuyPrice: 90_000 }, 75_000],
    ['the highest buy price, one won off the grid', { lastBuyPrice: 90_000, maxBuyPrice: 74_999 }, 74_900],
    ['at least one tick below, where the percent is finer', { lastBuyPrice: 70_000, buyPercent: -0.01 }, 69_900],
    ['one tick below across a band: 2,000 → 1,999', { lastBuyPrice: 2_000, buyPercent: -0.01 }, 1_999],
    ['one tick below across a band: 50,000 → 49,950', { lastBuyPrice: 50_000, buyPercent: -0.01 }, 49_950],
    ['a whole tick below a reference off the grid', { lastBuyPrice: 69_333, buyPercent: -0.01 }, 69_200],
    ['above the reference is above the highest price too', { lastBuyPrice: 75_000, buyPercent: -0.01 }, 74_900],
    ['two won can still fall', { lastBuyPrice: 2 }, 1],
    ['one won cannot', { lastBuyPrice: 1 }, null],
    ['no highest price', { maxBuyPrice: null }, null],
    ['a highest price of 0', { maxBuyPrice: 0, lastBuyPrice: 70_000 }, null],
    ['no drop', { lastBuyPrice: 70_000, buyPercent: 0 }, null],
    ['shown with autoBuy off too', { lastBuyPrice: 70_000, autoBuy: false }, 69_300],
  ])('%s', (_name, change, expected) => expect(nextBuyPrice({ ...EXAMPLE, ...change }, 'stock')).toBe(expected))

  test('an ETF has its own grid', () => {
    expect(nextBuyPrice({ ...EXAMPLE, lastBuyPrice: 35_980, buyPercent: -0.01 }, 'etf')).toBe(35_975)
  })
})

const input: BuyInput = {
  settings: { ...EXAMPLE, lastBuyPrice: 70_000 },
  kind: 'stock',
  heldAmount: remainAmount([lot(1, 2, 70_000)]),
  liveBuyAmount: 0,
  price: 69_300,
  buyableCount: 100,
  band: { lower: 51_400, upper: 95_400 },
}
function show(change: Partial<BuyInput>, settings: Partial<Settings> = {}): string {
  const plan = planBuy({ ...input, ...change, settings: { ...input.settings, ...settings } })
  const last = plan.reasons.at(-1)
  return plan.kind === 'buy' ? `buy ${plan.count} @ ${plan.price} ${last?.code}` : `hold ${last?.code}`
}

describe('whether to buy', () => {
  test.each<[string, Partial<BuyInput>, Partial<Settings>, string]>([
    ['exactly at the next price', {}, {}, 'buy 2 @ 69300 withinCap'],
    ['one tick above it', { price: 69_400 }, {}, 'hold aboveNextPrice'],
    ['one won above it (a midpoint trade)', { price: 69_301 }, {}, 'hold aboveNextPrice'],
    ['a midpoint trade below is rounded up to the grid', { price: 69_250 }, {}, 'buy 2 @ 69300 withinCap'],
    ['a gap buys once, at the live price', { price: 66_000 }, {}, 'buy 3 @ 66000 withinCap'],
    ['switched off', {}, { autoBuy: false }, 'hold autoBuyOff'],
    ['no highest price', {}, { maxBuyPrice: null }, 'hold badSettings'],
    ['no cap is no permission', {}, { maxBuyAmount: null }, 'hold badSettings'],
    ['nothing below one won', { price: 1 }, { lastBuyPrice: 1 }, 'hold noLowerPrice'],

    ['unit 1: one share', {}, { buyUnitPrice: 1 }, 'buy 1 @ 69300 withinCap'],
    ['unit exactly one share', {}, { buyUnitPrice: 69_300 }, 'buy 1 @ 69300 withinCap'],
    ['unit one won short of a share', {}, { buyUnitPrice: 69_299 }, 'hold unitTooSmall'],
    ['unit 2 is no share', {}, { buyUnitPrice: 2 }, 'hold unitTooSmall'],
    ['unit one won short of three', {}, { buyUnitPrice: 207_899 }, 'buy 2 @ 69300 withinCap'],

    // 140,000 won in lots, 69,300 a share.
    ['cap exactly met', {}, { maxBuyAmount: 278_600 }, 'buy 2 @ 69300 withinCap'],
    ['cap one won short: fewer shares', {}, { maxBuyAmount: 278_599 }, 'buy 1 @ 69300 reducedToCap'],
    ['cap for exactly one', {}, { maxBuyAmount: 209_300 }, 'buy 1 @ 69300 reducedToCap'],
    ['cap one won short of one', {}, { maxBuyAmount: 209_299 }, 'hold capReached'],
    ['cap passed already', {}, { maxBuyAmount: 100_000 }, 'hold capReached'],
    ['live buy orders count', { liveBuyAmount: 138_600 }, { maxBuyAmount: 417_200 }, 'buy 2 @ 69300 withinCap'],
    ['live buy orders count', { liveBuyAmount: 138_600 }, { maxBuyAmount: 417_199 }, 'buy 1 @ 69300 reducedToCap'],

    ['cash for exactly this', { buyableCount: 2 }, {}, 'buy 2 @ 69300 withinCap'],
    ['cash for one less: skip, never trim', { buyableCount: 1 }, {}, 'hold notEnoughCash'],
    ['cash not asked yet', { buyableCount: null }, {}, 'buy 2 @ 69300 withinCap'],
    ['cash is judged after the cap', { buyableCount: 1 }, { maxBuyAmount: 209_300 }, 'buy 1 @ 69300 reducedToCap'],

    ['at the lower limit', { band: { lower: 69_300, upper: 95_400 } }, {}, 'buy 2 @ 69300 withinCap'],
    ['below the lower limit', { band: { lower: 69_400, upper: 95_400 } }, {}, 'hold outOfBand'],
    ['above the upper limit', { band: { lower: 51_400, upper: 69_200 } }, {}, 'hold outOfBand'],
    ['limits unknown', { band: null }, {}, 'buy 2 @ 69300 withinCap'],
  ])('%s', (_name, change, settings, expected) => expect(show(change, settings)).toBe(expected))
})

describe('reasons are sentences with the numbers in them', () => {
  test.each<[Partial<BuyInput>, Partial<Settings>, string]>([
    [{ price: 70_100 }, {}, '현재가가 다음 매수가 69,300원보다 높아 기다립니다.'],
    [{}, { autoBuy: false }, '자동 매수가 꺼져 있습니다.'],
    [{}, {}, '69,300원에 2주를 사도 최대 매수 금액을 넘지 않습니다.'],
    [{}, { buyUnitPrice: 50_000 }, '1회 매수 금액 50,000원으로는 1주를 살 수 없습니다. 1회 매수 금액을 올려 주세요.'],
    [{}, { maxBuyAmount: 209_300 }, '최대 매수 금액까지 69,300원 남아 2주 대신 1주만 삽니다.'],
    [
      { liveBuyAmount: 100 },
      { maxBuyAmount: 200_000 },
      '최대 매수 금액 200,000원 중 보유 140,000원과 매수 주문 100원을 써서 남은 59,900원으로는 1주를 살 수 없습니다.',
    ],
    [{ buyableCount: 1 }, {}, '현금으로 살 수 있는 수량이 1주라 2주를 살 수 없습니다. 예수금을 확인해 주세요.'],
  ])('%#', (change, settings, text) => {
    const plan = planBuy({ ...input, ...change, settings: { ...input.settings, ...settings } })
    expect(plan.reasons.at(-1)?.text).toBe(text)
  })

  test('a buy carries only reasons for it, a hold ends with the reason against it', () => {
    const buy = planBuy(input)
    expect(buy.reasons.map(({ ok, code }) => [ok, code])).toEqual([
      [true, 'priceReached'],
      [true, 'withinCap'],
    ])
    const hold = planBuy({ ...input, buyableCount: 0 })
    expect(hold.reasons.map((reason) => reason.ok)).toEqual([true, true, false])
  })
})

test.each([
  ['one fill', 140_000, 2, 70_000],
  ['an uneven average is rounded up', 140_001, 2, 70_001],
  ['three shares', 210_100, 3, 70_034],
])('reference after a buy: %s', (_name, amount, count, expected) => {
  expect(referenceAfterBuy(amount, count)).toBe(expected)
})
test('a buy that filled nothing has no reference', () =>
  expect(() => referenceAfterBuy(0, 0)).toThrow('filled nothing'))

test('whatever the settings and the price, a buy keeps every promise', () => {
  const live = fc.integer({ min: 0, max: 1_000_000 })
  const prices = fc.integer({ min: 1, max: 2_000_000 })
  const cash = fc.option(fc.integer({ min: 0, max: 1_000 }))
  fc.assert(
    fc.property(
      anySettings,
      anyKind,
      anyLots,
      live,
      prices,
      cash,
      (settings, kind, lots, liveBuyAmount, price, buyableCount) => {
        const plan = planBuy({
          settings,
          kind,
          heldAmount: remainAmount(lots),
          liveBuyAmount,
          price,
          buyableCount,
          band: null,
        })
        fc.pre(plan.kind === 'buy')
        expect(plan.price).toBe(ceilToTick(price, kind))
        expect(plan.price).toBeLessThanOrEqual(settings.maxBuyPrice ?? 0)
        expect(plan.price).toBeLessThanOrEqual(nextBuyPrice(settings, kind) ?? 0)
        expect(plan.count).toBeGreaterThan(0)
        expect(plan.count * plan.price + remainAmount(lots) + liveBuyAmount).toBeLessThanOrEqual(
          settings.maxBuyAmount ?? 0,
        )
        expect(plan.count).toBeLessThanOrEqual(buyableCount ?? Infinity)
        expect(settings.buyUnitPrice === 1 ? plan.count : 1).toBe(1)
        expect(settings.buyUnitPrice === 1 ? 0 : plan.count * plan.price).toBeLessThanOrEqual(
          settings.buyUnitPrice ?? 0,
        )
      },
    ),
    { numRuns: 300 },
  )
})

test('the next price is on the grid, a whole tick under the reference, and falls with it', () => {
  fc.assert(
    fc.property(anySettings, anyKind, (settings, kind) => {
      const reference = settings.lastBuyPrice
      const next = nextBuyPrice(settings, kind)
      fc.pre(reference !== null && next !== null)
      expect(onGrid(next, kind)).toBe(true)
      expect(next).toBeLessThanOrEqual(reference - tickSize(next, kind))
      const drop = (BigInt(reference) * BigInt(10_000 + Math.round(settings.buyPercent * 100))) / 10_000n
      expect(next).toBeLessThanOrEqual(Number(drop))
      expect(nextBuyPrice({ ...settings, lastBuyPrice: next }, kind) ?? 0).toBeLessThan(next)
      const higher = nextBuyPrice({ ...settings, lastBuyPrice: reference + 1 }, kind) ?? 0
      expect(higher).toBeGreaterThanOrEqual(next - tickSize(next, kind))
    }),
  )
})
