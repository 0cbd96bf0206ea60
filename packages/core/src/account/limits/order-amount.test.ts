import { expect, test } from 'vitest'
import { CODE, Desk } from '../../../test/desk.ts'

/** A market buy of 8,000,000 won at 70,000, where the most that one share can cost is 91,000. */
function marketBuy(limits: Partial<Desk['limits']>) {
  const desk = new Desk({ autoBuy: false, maxBuyPrice: null, maxBuyAmount: 50_000_000 }).quote(70_000)
  desk.limits = { ...desk.limits, ...limits }
  return desk.ask({ kind: 'marketBuy', code: CODE, amount: 8_000_000, cash: 50_000_000, askedAt: desk.now })
}

test('a market buy counts at the most it can cost, and its refusal says so', () => {
  expect(marketBuy({ orderAmount: 10_374_000 })).toMatchObject({ ok: true })
  expect(marketBuy({ orderAmount: 10_373_999 })).toMatchObject({
    ok: false,
    text: '1회 주문 한도 10,373,999원을 넘습니다: 한 주에 91,000원까지, 모두 10,374,000원이 들 수 있습니다. 금액을 줄여 주세요.',
  })
})

test('so does the limit of a day', () => {
  expect(marketBuy({ dailyBuyAmount: 10_373_999 })).toMatchObject({
    ok: false,
    text: '오늘의 매수 한도 10,373,999원을 넘습니다: 오늘 0원을 썼고 이번 매수에 10,374,000원까지 들 수 있습니다. 금액을 줄이거나 내일 사 주세요.',
  })
})
