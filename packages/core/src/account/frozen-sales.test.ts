import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import { dailyLimits } from '../krx/limit.ts'
import type { BaseMove } from './types.ts'

const MOVED: BaseMove = { day: DAY, close: 70_000, base: 35_000 }
const HALF = { moved: MOVED, band: dailyLimits(35_000, 'stock', 'KOSPI') }

/** Three lots on the morning of a 1:1 bonus issue, frozen. */
function frozen(settings = {}, moved = HALF): Desk {
  const desk = new Desk({ lastBuyPrice: 68_600, autoBuy: false, autoSell: false, ...settings })
  desk.hold([1, 2, 70_000], [2, 2, 69_300], [3, 2, 68_600])
  return desk.quote(moved.moved.base, moved).timer()
}
/** A sale by hand at the market that fills whole. */
function sold(desk: Desk, trades: readonly number[], price = 35_000): Desk {
  for (const tradeId of trades) {
    desk.ask({ kind: 'sellTrade', code: CODE, tradeId, how: 'market' })
    const [id = 0] = desk.sent
    const { count } = desk.order(id)
    desk.accept(id).wait(1_000).quote(price, HALF)
    const row = desk.row(id, { filledCount: count, filledAmount: count * price, remainingCount: 0, price: 0 })
    desk.read([row])
  }
  return desk
}
const adjust = (desk: Desk, held: number) =>
  desk.ask({ kind: 'adjustStock', code: CODE, day: DAY, held, snapshot: desk.snapshot(rows(desk), [[held, 69_300]]) })
const rows = (desk: Desk) =>
  [...desk.account.book.orders.values()].map(({ id, count, filledAmount }) =>
    desk.row(id, { filledCount: count, filledAmount, remainingCount: 0, price: 0 }),
  )

describe('a sale by hand of a frozen stock', () => {
  test.each([
    { kind: 'sellStock', code: CODE },
    { kind: 'sellTrade', code: CODE, tradeId: 1, how: 'target' },
  ] as const)('at the target of another share is refused: $kind', (command) => {
    const desk = frozen({}, { moved: { day: DAY, close: 70_000, base: 64_000 }, band: dailyLimits(64_000, 'stock') })
    expect(desk.ask(command)).toMatchObject({ ok: false, code: 'CONFLICT', text: expect.stringContaining('목표가') })
    expect(desk.live).toEqual([])
  })

  test('at a price of now goes out', () => {
    const desk = frozen()
    desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'current' })
    expect(desk.live).toEqual(['1 sell 2 @ 35000 of 1 intended'])
  })

  test('while the broker shows the new number of shares, the old one is not sold', () => {
    const desk = frozen({}, { moved: { day: DAY, close: 70_000, base: 14_000 }, band: dailyLimits(14_000, 'stock') })
    desk.read([], [[30, 13_860]])
    const sale = { kind: 'sellTrade', code: CODE, tradeId: 1, how: 'market' } as const
    const refusal = { ok: false, code: 'CONFLICT', text: expect.stringContaining('증권사의 주식 수') }
    expect(desk.ask(sale)).toMatchObject(refusal)
    desk.wait(12_000).read([], [[30, 13_860]])
    expect(desk.stock.blocked?.code).toBe('mismatch')
    expect(desk.ask(sale)).toMatchObject(refusal)
    expect(adjust(desk, 30)).toMatchObject({ ok: true })
    desk.ask(sale)
    expect(desk.live).toEqual(['1 sell 10 @ 0 of 1 intended'])
  })
})

describe('an adjustment after it', () => {
  test('leaves the reference that the sale set: it is of the new share', () => {
    const desk = sold(frozen({ recoverLastBuyPrice: true }), [1, 2, 3])
    expect([desk.lots, desk.stock.settings.lastBuyPrice]).toEqual([[], 35_000])
    expect(adjust(desk.wait(12_000), 0)).toMatchObject({ ok: true })
    expect(desk.stock.settings).toMatchObject({ lastBuyPrice: 35_000, maxBuyPrice: 37_500 })
  })

  test('lets one that went back to an older lot follow', () => {
    const desk = sold(frozen({ recoverLastBuyPrice: true }), [3])
    expect(desk.stock.settings.lastBuyPrice).toBe(69_300)
    adjust(desk.wait(12_000), 4)
    expect(desk.stock.settings.lastBuyPrice).toBe(34_650)
    expect(desk.lots).toEqual(['1: 2 @ 35000', '2: 2 @ 34650'])
  })

  test('waits until the balance can show it: six shares held of four in the book are not the new number', () => {
    const desk = sold(frozen(), [1])
    expect(adjust(desk, 6)).toMatchObject({ ok: false, code: 'BUSY' })
    expect(adjust(desk.wait(12_000), 4)).toMatchObject({ ok: true })
    expect(desk.lots).toEqual(['2: 2 @ 34650', '3: 2 @ 34300'])
  })

  test('waits for a sale that was asked for and is not out yet', () => {
    const desk = new Desk({ lastBuyPrice: 68_600, autoBuy: false }).hold([1, 2, 70_000])
    desk.quote(69_000).timer()
    desk.accept(...desk.sent).wait(2_000)
    desk.ask({ kind: 'sellAtPrice', code: CODE, price: 60_000, slices: 1 })
    desk.quote(35_000, HALF).timer()
    const gone = desk.row(1, { remainingCount: 0, cancelled: true })
    const snapshot = desk.wait(2_000).snapshot([gone], [[2, 70_000]])
    expect(desk.ask({ kind: 'adjustStock', code: CODE, day: DAY, held: 2, snapshot })).toMatchObject({ ok: false })
    expect(desk.stock.frozen).toEqual(MOVED)
  })
})

describe('prices that a person gave since', () => {
  test('stay: they are of the new share; the others follow', () => {
    const desk = frozen({ maxBuyPrice: 75_000, minSellPrice: 71_000 })
    desk.settings({ maxBuyPrice: 37_000 })
    adjust(desk, 6)
    expect(desk.stock.settings).toMatchObject({ maxBuyPrice: 37_000, minSellPrice: 35_500, lastBuyPrice: 34_300 })
  })
})
