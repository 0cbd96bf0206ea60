import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { remainCount } from '../ladder/buy.ts'
import { saleQuote, type SaleCommand, type SaleQuote } from './sale-quote.ts'

const quoted = (desk: Desk, command: SaleCommand): SaleQuote => {
  const quote = saleQuote(desk.account, desk.ctx, command)
  if (quote === null) throw new Error('no such stock')
  return quote
}
const holding = (...lots: [number, number, number][]): Desk =>
  new Desk({ autoBuy: false, autoSell: false }).hold(...lots).quote(70_000)

const commands: fc.Arbitrary<SaleCommand> = fc.oneof(
  fc.constant<SaleCommand>({ kind: 'sellStock', code: CODE }),
  fc.record({
    kind: fc.constant('sellAtMarket' as const),
    code: fc.constant(CODE),
    count: fc.integer({ min: 1, max: 12 }),
  }),
  fc.record({
    kind: fc.constant('sellAtPrice' as const),
    code: fc.constant(CODE),
    price: fc.integer({ min: 69_000, max: 71_000 }),
    slices: fc.integer({ min: 1, max: 4 }),
    count: fc.integer({ min: 1, max: 12 }),
  }),
  fc.record({
    kind: fc.constant('sellTrade' as const),
    code: fc.constant(CODE),
    tradeId: fc.integer({ min: 1, max: 4 }),
    how: fc.constantFrom('target' as const, 'current' as const, 'market' as const),
  }),
)

test('what is quoted is what is sent, and what would be refused is refused in the same words', () => {
  const lots = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 650, max: 720 })), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(lots, fc.boolean(), commands, (held, atAverage, command) => {
      const desk = holding(...held.map(([count, price], at): [number, number, number] => [at + 1, count, price * 100]))
      desk.settings({ autoSellWithAvgPrice: atAverage })
      const before = desk.account
      const { refusal, orders, lots: sold } = quoted(desk, command)
      expect(desk.account).toBe(before)
      desk.ask(command)
      const sent = [...desk.account.book.orders.values()]
      expect(sent.map(({ count, type, price }) => ({ count, price: type === 'limit' ? price : null }))).toEqual(orders)
      expect(remainCount(sold)).toBe(sent.reduce((sum, { count }) => sum + count, 0))
      const result = desk.results[0]
      expect(result?.ok === false ? result.text : null).toBe(refusal)
    }),
  )
})

test('at the market it brings at worst the lower limit of the day, at a price no less than that', () => {
  const desk = holding([1, 2, 70_000])
  const worst = (command: SaleCommand) => saleQuote(desk.account, desk.ctx, command)?.worst
  expect(worst({ kind: 'sellAtMarket', code: CODE })).toBe(desk.ctx.quote(CODE)?.band?.lower)
  expect(worst({ kind: 'sellAtMarket', code: CODE })).toBeGreaterThan(0)
  expect(worst({ kind: 'sellAtPrice', code: CODE, price: 71_000, slices: 1 })).toBeNull()
})

test('shares that a person’s order offers, or whose buy is at work, are not free; those of an automatic sale are', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 69_000], [2, 3, 72_000]).quote(70_000).timer()
  desk
    .accept(...desk.sent)
    .wait(2_000)
    .quote(70_000)
  const all: SaleCommand = { kind: 'sellAtMarket', code: CODE }
  expect(quoted(desk, all)).toMatchObject({ refusal: null, free: 5, orders: [{ count: 5, price: null }] })
  desk.ask({ kind: 'sellAtPrice', code: CODE, price: 70_500, slices: 1, count: 2 })
  desk.wait(1_000).read([desk.row(1, { cancelled: true, remainingCount: 0 })])
  expect(quoted(desk, all)).toMatchObject({ free: 3, orders: [{ count: 3, price: null }] })
})

test('a part of a lot costs its part; a price that is not on the grid is asked for at the next tick', () => {
  const desk = holding([1, 4, 69_000])
  const { orders, lots } = quoted(desk, { kind: 'sellAtPrice', code: CODE, price: 70_011, slices: 1, count: 3 })
  expect(orders).toEqual([{ count: 3, price: 70_100 }])
  expect(lots).toMatchObject([{ id: 1, count: 3, buyAmount: 207_000 }])
})

test('a sale that would only be rehearsed is quoted as one that is sent, and marked', () => {
  const desk = holding([1, 4, 69_000])
  const command: SaleCommand = { kind: 'sellAtMarket', code: CODE }
  const sent = quoted(desk, command)
  expect(sent).toMatchObject({ refusal: null, shadow: false, last: { price: 70_000, at: desk.now } })
  desk.ask({ kind: 'setShadow', code: CODE, shadow: true })
  expect(quoted(desk, command)).toEqual({ ...sent, shadow: true })
  expect(desk.ask(command)).toMatchObject({ ok: false, text: expect.stringContaining('그림자') })
})

test('what rests already is no new order, and no refusal', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 69_000]).quote(69_000).timer()
  desk.accept(...desk.sent)
  const target: SaleCommand = { kind: 'sellTrade', code: CODE, tradeId: 1, how: 'target' }
  expect(quoted(desk, target)).toMatchObject({ refusal: null, orders: [] })
  expect(desk.ask(target)).toEqual({ ok: true, orderIds: [1], differences: [] })
})
