import { describe, expect, test } from 'vitest'
import { BuyQuote } from '../sales.ts'
import { buyAmount, seenPrice } from './inputs.ts'
import { stockCalls } from './stock.ts'
import { tradeCalls } from './trade.ts'

test.each([
  ['100', 100],
  ['1,000', 1_000],
  [1, 1],
  [100_000, 100_000],
])('%s is an amount in units of 10,000 won', (typed, amount) => expect(buyAmount.parse(typed)).toBe(amount))

test.each(['', '0', '-1', '1.5', '100001', 'x', null, undefined])('%s is none', (typed) =>
  expect(buyAmount.safeParse(typed).success).toBe(false),
)

describe('what a person saw', () => {
  test.each([
    [undefined, undefined],
    ['71000', 71_000],
    [71_000, 71_000],
  ])('%s of a sale is %s', (typed, price) => expect(seenPrice.parse(typed)).toBe(price))

  test.each(['0', '-1', '70000.5', 'x'])('%s is no price', (typed) =>
    expect(seenPrice.safeParse(typed).success).toBe(false),
  )

  test('may be left out of a buy, as the specification has it, and is whole where it is there', () => {
    const { body } = stockCalls.marketBuy
    expect(body.parse({ amount: '30' })).toEqual({ amount: 30 })
    const seen = { price: 71_000, worst: 92_300 }
    expect(body.parse({ amount: '30', seen })).toEqual({ amount: 30, seen })
    for (const one of [{}, { price: 71_000 }, { price: 1.5, worst: 2 }, 'x', null])
      expect([one, body.safeParse({ amount: '30', seen: one }).success]).toEqual([one, false])
  })

  test('may be left out of every sale that takes it', () => {
    const { sellTradeAtCurrent, sellTradeAtMarket } = tradeCalls
    for (const { query } of [sellTradeAtCurrent, sellTradeAtMarket, stockCalls.sellStockAtMarket])
      expect([query.parse({}), query.parse({ seenPrice: '5' })]).toEqual([{}, { seenPrice: 5 }])
  })
})

test('only an administrator is quoted a buy, as only one may buy', () => {
  expect([tradeCalls.buyQuote.access, stockCalls.marketBuy.access]).toEqual(['admin', 'admin'])
})

test('a quote of nothing is whole: no order, no price, no cash', () => {
  const order = { qty: 0, type: null, price: null, worstPrice: null, worstAmount: null, exchangeCode: null }
  const price = { isPriceOld: false, lastPrice: null, priceAt: null, priceAgeMs: null }
  const quote = {
    refusal: '현재가를 아직 받지 못했습니다.',
    ...order,
    ...price,
    cash: null,
    cashAt: null,
    buyable: null,
  }
  expect(BuyQuote.parse(quote)).toEqual(quote)
  expect(BuyQuote.safeParse({ ...quote, priceAgeMs: -1 }).success).toBe(false)
})
