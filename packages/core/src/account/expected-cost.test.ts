import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import { dailyLimits } from '../krx/limit.ts'
import { remainAmount } from '../ladder/buy.ts'
import { investedAmount } from './limits/use.ts'
import { outlook } from './outlook.ts'

const HALF = { moved: { day: DAY, close: 70_000, base: 35_000 }, band: dailyLimits(35_000, 'stock', 'KOSPI') }
const CAP = 500_000

/** Six shares for 415,800 won whose 1:1 bonus issue is settled: half of what they cost waits for the new shares. */
function settled(settings = {}): Desk {
  const desk = new Desk({ lastBuyPrice: 68_600, autoSell: false, maxBuyAmount: CAP, ...settings })
  desk.hold([1, 2, 70_000], [2, 2, 69_300], [3, 2, 68_600]).quote(35_000, HALF).timer()
  desk.ask({ kind: 'adjustStock', code: CODE, day: DAY, held: 6, snapshot: desk.snapshot([], [[6, 69_300]]) })
  expect(desk.stock.expected).toMatchObject({ count: 6, amount: 207_900 })
  return desk
}

describe('what shares cost that a corporate action still owes', () => {
  test('is money in the stock: the ladder stops at its cap', () => {
    const desk = settled({ buyUnitPrice: 100_000 })
    for (let price = 33_900; price > 26_000; price -= 350) {
      desk.wait(11_000).price(price, HALF).cash(1_000)
      for (const id of desk.sent)
        desk
          .accept(id)
          .wait(2_000)
          .read([desk.row(id, { filledCount: desk.order(id).count })])
    }
    expect(remainAmount(desk.stock.lots) + 207_900).toBeLessThanOrEqual(CAP)
    expect(remainAmount(desk.stock.lots)).toBeGreaterThan(207_900)
    const reason = outlook(desk.account, desk.ctx, CODE).reasons.find(({ code }) => code === 'capReached')
    expect(reason?.text).toContain('최대 매수 금액 500,000원')
  })

  test('binds a person, too', () => {
    const desk = settled({ autoBuy: false }).wait(11_000).price(33_900, HALF)
    const buy = (amount: number) =>
      desk.ask({ kind: 'marketBuy', code: CODE, amount, cash: 10_000_000, askedAt: desk.now })
    expect(buy(200_000)).toMatchObject({ ok: false, text: expect.stringContaining('최대 매수 금액') })
    expect([desk.live, buy(70_000)?.ok, desk.live.length]).toEqual([[], true, 1])
  })

  test('is money in the account', () => expect(investedAmount(settled().account.book)).toBe(415_800))
})
