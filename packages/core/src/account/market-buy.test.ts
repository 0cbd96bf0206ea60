import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'

test.each([
  [62_000, 62_000],
  [null, 70_000],
  [75_000, 70_000],
])('a buy by hand at 70,000 beside a reference of %s leaves it at %s: it never lifts the ladder', (before, after) => {
  const desk = new Desk({ autoSell: false, autoBuy: false, lastBuyPrice: before, maxBuyPrice: null }).quote(70_000)
  desk.ask({ kind: 'marketBuy', code: CODE, amount: 140_000, cash: 10_000_000, askedAt: desk.now })
  desk.accept(1).wait(2_000).fill(1, 140_000)
  expect(desk.stock.settings.lastBuyPrice).toBe(after)
})

test.each([null, 85_000, 90_000])(
  'a buy by hand sized by an old price goes out at that price, so that it never costs more than the amount, ceiling %s',
  (maxBuyPrice) => {
    const desk = new Desk({ autoBuy: false, maxBuyPrice, maxBuyAmount: null })
    desk.quote(70_050, { at: kstInstant('20261116', 90_000) })
    const amount = 1_000_000
    desk.ask({ kind: 'marketBuy', code: CODE, amount, cash: 10_000_000, askedAt: desk.now })
    expect(desk.order(1)).toMatchObject({ type: 'limit', price: 70_000, count: 14, reservedPrice: 70_000 })
    expect(desk.order(1).why).toContain('지정가')
  },
)

test.each([
  ['the opening auction, after the pre-market’s last trade', 84_959, 85_010],
  ['the closing auction', 151_959, 152_010],
])('in %s the last price is minutes old before anything fills: it is the limit', (_name, traded, asked) => {
  const desk = new Desk({ autoBuy: false, maxBuyPrice: null, maxBuyAmount: null }).choose({
    sor: true,
    preMarket: true,
  })
  desk.env = 'real'
  desk.now = kstInstant('20261117', asked)
  desk.quote(70_000, { at: kstInstant('20261117', traded) })
  desk.ask({ kind: 'marketBuy', code: CODE, amount: 1_000_000, cash: 10_000_000, askedAt: desk.now })
  expect(desk.order(1)).toMatchObject({ type: 'limit', price: 70_000, count: 14 })
})

test.each([0, 70_050])('an order without a price is found at the price %s that the list shows', (price) => {
  const desk = new Desk({ autoBuy: false, maxBuyPrice: null }).quote(70_000)
  desk.ask({ kind: 'marketBuy', code: CODE, amount: 140_000, cash: 10_000_000, askedAt: desk.now })
  desk
    .lose(1)
    .wait(21_000)
    .read([desk.row(1, { odno: '0000000077', price, filledCount: 2, filledAmount: 140_100 })])
  expect(desk.order(1)).toMatchObject({ status: 'filled', odno: '0000000077' })
})

test('a market buy below a limit that its worst price is above says by which price it is measured', () => {
  const desk = new Desk({ autoBuy: false, maxBuyPrice: null, maxBuyAmount: null }).quote(70_000)
  desk.limits = { ...desk.limits, orderAmount: 10_000_000 }
  const buy = (amount: number) =>
    desk.ask({ kind: 'marketBuy', code: CODE, amount, cash: 100_000_000, askedAt: desk.now })
  expect(buy(8_000_000)).toMatchObject({
    ok: false,
    text: '1회 주문 한도 10,000,000원을 넘습니다(시장가는 상한가로 재어 10,374,000원). 금액을 줄여 주세요.',
  })
  desk.limits = { ...desk.limits, orderAmount: null, dailyBuyAmount: 10_000_000 }
  expect(buy(8_000_000)).toMatchObject({
    text: '오늘의 매수 한도 10,000,000원을 넘습니다(시장가는 상한가로 재어 10,374,000원). 내일 다시 살 수 있습니다.',
  })
  expect(buy(7_000_000)).toMatchObject({ ok: true })
})
