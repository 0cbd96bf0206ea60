import type { BuyQuote, SaleQuote } from '@digger/core'
import { emptyBook, evolve } from '@digger/core'
import { SETTINGS } from '@digger/engine/testing'
import { expect, test } from 'vitest'
import { buyQuoteView, saleQuoteView } from './saleView.ts'

const CODE = '005930'
const NOW = 1_000_000
const issue = { code: CODE, kind: 'stock', market: 'KOSPI', nxt: true } as const
const lot = { id: 1, count: 2, buyPrice: 70_000, buyAmount: 140_000, boughtAt: 0, buyOrderId: null } as const
const stock = evolve(emptyBook('20261120'), {
  kind: 'stockAdded',
  code: CODE,
  name: '삼성전자',
  issue,
  settings: SETTINGS,
  at: 0,
}).stocks.get(CODE)
const SALE: SaleQuote = {
  refusal: null,
  free: 2,
  venue: 'KRX',
  orders: [{ count: 2, price: null }],
  lots: [{ ...lot, heldBack: false, takenOver: false }],
  last: { price: 71_000, at: NOW - 1_500 },
  worst: null,
  shadow: false,
}
const BUY: BuyQuote = {
  refusal: null,
  order: null,
  venue: 'KRX',
  isOld: false,
  last: { price: 71_000, at: NOW - 1_500 },
  shadow: false,
  cash: null,
  buyable: null,
}
const sale = (over: Partial<SaleQuote> = {}) => stock && saleQuoteView(stock, { ...SALE, ...over }, NOW)
const buy = (over: Partial<BuyQuote> = {}) => buyQuoteView({ ...BUY, ...over }, NOW)

test('what is shown is the price that decides, how old it is, and what it comes to', () => {
  expect(sale()).toMatchObject({ price: 71_000, priceAgeMs: 1_500, gainAmount: 2_000 })
  expect(buy()).toMatchObject({ lastPrice: 71_000, priceAgeMs: 1_500 })
})

test('without one nothing is made up', () => {
  expect(sale({ last: null })).toMatchObject({ price: null, priceAt: null, priceAgeMs: null, gainAmount: null })
  expect(buy({ last: null })).toMatchObject({ lastPrice: null, priceAt: null, priceAgeMs: null })
})

test('at the market it says what a share brings at worst, where that is known', () => {
  expect(sale({ worst: 49_700 })).toMatchObject({ worstPrice: 49_700 })
  expect(sale()).not.toHaveProperty('worstPrice')
})

test('only a rehearsal is marked as one', () => {
  expect([sale(), buy()].map((shown) => shown && 'shadow' in shown)).toEqual([false, false])
  expect([sale({ shadow: true })?.shadow, buy({ shadow: true }).shadow]).toEqual([true, true])
})
