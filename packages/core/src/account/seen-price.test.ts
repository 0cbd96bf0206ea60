import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import type { CommandResult, Quote } from './step-types.ts'
import { buyChanged, saleChanged } from './seen-price.ts'

test.each([
  [undefined, 1, 1, null],
  [{ price: 100_000, worst: 130_000 }, 100_000, 130_000, null],
  [{ price: 100_000, worst: 130_000 }, 102_000, 130_000, null],
  [{ price: 100_000, worst: 130_000 }, 102_001, 130_000, '100,000원에서 102,001원으로'],
  [{ price: 100_000, worst: 130_000 }, 98_000, 130_000, null],
  [{ price: 100_000, worst: 130_000 }, 97_999, 130_000, '100,000원에서 97,999원으로'],
  [{ price: 100_000, worst: 130_000 }, 100_000, 130_001, '130,001원까지 들 수 있는'],
  [{ price: 100_000, worst: 130_000 }, 100_000, 100_000, null],
  [{ price: 100_000 }, 100_000, 999_999, null],
] as const)('a buy that was seen as %j, at %i and at worst %i: %s', (seen, price, worst, text) => {
  const changed = buyChanged(seen, price, worst)
  expect([changed === null, changed ?? '']).toEqual([text === null, expect.stringContaining(text ?? '')])
})

test.each([
  [undefined, 1, true],
  [{ price: 100_000 }, undefined, true],
  [{ price: 100_000 }, 200_000, true],
  [{ price: 100_000 }, 98_000, true],
  [{ price: 100_000 }, 97_999, false],
] as const)('a sale that was seen as %j at %s goes out: %s', (seen, price, goes) =>
  expect(saleChanged(seen, price) === null).toBe(goes),
)

const buying = (seen: object | undefined, quote: Partial<Quote> = {}): CommandResult | undefined => {
  const desk = new Desk({ autoBuy: false, maxBuyPrice: null, maxBuyAmount: null }).quote(70_000, quote)
  return desk.ask({ kind: 'marketBuy', code: CODE, amount: 700_000, cash: 10_000_000, askedAt: desk.now, ...seen })
}

const seenAs = (price: number, worst: number) => ({ seen: { price, worst } })

test('a buy that would cost more than its person saw is not sent; one that costs less is', () => {
  expect(buying(seenAs(70_000, 91_000))).toMatchObject({ ok: true })
  expect(buying(undefined)).toMatchObject({ ok: true })
  expect(buying(seenAs(68_000, 91_000))).toMatchObject({ ok: false, code: 'CONFLICT' })
  // Seen as a limit at an old price, which is at the market by now.
  expect(buying(seenAs(70_000, 70_000))).toMatchObject({ ok: false, code: 'CONFLICT' })
  // The other way round: at the market when it was seen, held at its price now.
  expect(buying(seenAs(70_000, 91_000), { at: 0 })).toMatchObject({ ok: true })
})

test.each([
  [{ kind: 'sellAtMarket', code: CODE }],
  [{ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'market' }],
  [{ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'current' }],
] as const)('%j goes out near the price that was seen, and above it, and says so where it has fallen', (command) => {
  const selling = (price: number) => {
    const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000]).quote(70_000)
    desk.ask({ ...command, seen: { price } })
    const [result] = desk.results
    return [desk.live.length, result === undefined || result.ok ? null : result.code]
  }
  expect(selling(71_400)).toEqual([1, null])
  expect(selling(60_000)).toEqual([1, null])
  expect(selling(72_000)).toEqual([0, 'CONFLICT'])
})

test('a sale at its target is bound by that, whatever was seen', () => {
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000]).quote(70_000)
  desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'target', seen: { price: 90_000 } })
  expect(desk.live).toHaveLength(1)
})
