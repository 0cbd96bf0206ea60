import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'
import { buyQuote, type BuyQuote } from './buy-quote.ts'
import type { Order } from './types.ts'

const quoted = (desk: Desk, amount: number): BuyQuote => {
  const quote = buyQuote(desk.account, desk.ctx, { code: CODE, amount })
  if (quote === null) throw new Error('no such stock')
  return quote
}
const plain = (settings = {}): Desk => new Desk({ autoBuy: false, maxBuyPrice: null, maxBuyAmount: null, ...settings })

const figuresOf = ({ count, type, price, reservedPrice, venue }: Order) => ({
  count,
  type,
  price,
  reservedPrice,
  venue,
})

const moments = fc.record({
  price: fc.integer({ min: 500, max: 900 }).map((n) => n * 100),
  /** Of the last trade, s. */
  age: fc.constantFrom(0, 59, 60, 61, 600),
  maxBuyPrice: fc.constantFrom(null, 60_000, 75_000, 200_000),
  maxBuyAmount: fc.constantFrom(null, 1_000_000),
  amount: fc.integer({ min: 1, max: 300 }).map((n) => n * 10_000),
  time: fc.constantFrom(85_500, 100_000, 152_500, 160_000),
  halted: fc.boolean(),
  serverStop: fc.constantFrom('active' as const, 'reduce' as const),
  cash: fc.constantFrom(null, 100_000, 50_000_000),
})

test('what is quoted is what is sent, to the won, and what would be refused is refused in the same words', () => {
  fc.assert(
    fc.property(moments, ({ price, age, maxBuyPrice, maxBuyAmount, amount, time, halted, serverStop, cash }) => {
      const desk = plain({ maxBuyPrice, maxBuyAmount })
      desk.env = 'real'
      desk.now = kstInstant('20261117', time)
      desk.serverStop = serverStop
      desk.quote(price, { at: desk.now - age * 1_000, halted })
      if (cash !== null) desk.do({ kind: 'cash', amount: cash, askedAt: desk.now })
      const before = desk.account
      const { refusal, order, venue, cash: shown } = quoted(desk, amount)
      expect(desk.account).toBe(before)
      expect(shown).toEqual(cash === null ? null : { amount: cash, at: desk.now })
      const seen = order && { seen: { price, worst: order.reservedPrice } }
      const answer = { cash: cash ?? Number.MAX_SAFE_INTEGER, askedAt: desk.now }
      const result = desk.ask({ kind: 'marketBuy', code: CODE, amount, ...answer, ...seen })
      expect(result?.ok === false ? result.text : null).toBe(refusal)
      const sent = [...desk.account.book.orders.values()][0]
      const quotedOrder = refusal === null ? { ...order, venue } : null
      expect(sent === undefined ? null : figuresOf(sent)).toEqual(quotedOrder)
    }),
    { numRuns: 400 },
  )
})

describe('what the buy is', () => {
  test.each([
    ['at the market, up to the day’s limit', {}, 0, { type: 'market', price: 0, reservedPrice: 91_000 }],
    ['no dearer than allowed', { maxBuyPrice: 80_000 }, 0, { type: 'limit', price: 80_000, reservedPrice: 80_000 }],
    ['at a price of long ago', {}, 61_000, { type: 'limit', price: 70_000, reservedPrice: 70_000 }],
    ['and that before the ceiling', { maxBuyPrice: 80_000 }, 61_000, { type: 'limit', price: 70_000 }],
  ] as const)('%s', (_name, settings, age, order) => {
    const desk = plain(settings)
    desk.quote(70_000, { at: desk.now - age })
    expect(quoted(desk, 1_000_000)).toMatchObject({ refusal: null, order: { count: 14, ...order }, isOld: age > 0 })
  })

  test('best price where the market takes none at the market: NXT in the evening', () => {
    const desk = plain()
    desk.env = 'real'
    desk.choose({ afterMarket: true })
    desk.putFacts({
      kind: 'issueChanged',
      code: CODE,
      name: '',
      issue: { ...desk.stock.issue, nxt: true },
      at: desk.now,
    })
    desk.now = kstInstant('20261116', 160_000)
    desk.quote(70_000)
    expect(quoted(desk, 1_000_000)).toMatchObject({ refusal: null, venue: 'NXT', order: { type: 'best', price: 0 } })
  })

  test('nothing of it is known without a price, and less than a share is no order', () => {
    const desk = plain()
    desk.unseen = undefined
    expect(quoted(desk, 1_000_000)).toMatchObject({ order: null, refusal: expect.stringContaining('현재가') })
    expect(quoted(desk.quote(70_000), 69_999)).toMatchObject({
      order: null,
      refusal: expect.stringContaining('모자란'),
    })
  })

  test('no such stock', () =>
    expect(buyQuote(new Desk().account, new Desk().ctx, { code: '999999', amount: 1 })).toBeNull())

  test('what is warned may be bought by hand', () => {
    expect(quoted(plain().quote(70_000, { statuses: ['warning'] }), 1_000_000).refusal).toBeNull()
  })
})

describe('only rehearsed', () => {
  test.each<[string, (desk: Desk) => unknown]>([
    ['the stock', (desk) => desk.ask({ kind: 'setShadow', code: CODE, shadow: true })],
    ['the server', (desk) => (desk.shadow = true)],
  ])('%s: quoted as if it were sent, and marked', (_name, turn) => {
    const desk = plain().quote(70_000)
    const sent = quoted(desk, 1_000_000)
    turn(desk)
    const { account } = desk
    expect(quoted(desk, 1_000_000)).toEqual({ ...sent, shadow: true })
    expect([sent.shadow, sent.refusal]).toEqual([false, null])
    expect(desk.account).toBe(account)
    // The real account sends nothing of it all the same.
    const cash = { cash: 10_000_000, askedAt: desk.now }
    expect(desk.ask({ kind: 'marketBuy', code: CODE, amount: 1_000_000, ...cash })).toMatchObject({ ok: false })
  })

  test('what stops orders stops the quote of a rehearsal, too', () => {
    const desk = plain().quote(70_000)
    desk.shadow = true
    desk.serverStop = 'halt'
    expect(quoted(desk, 1_000_000)).toMatchObject({ shadow: true, refusal: expect.stringContaining('멈춰') })
  })
})

test('the price it is decided by comes along, with the moment it is known since', () => {
  const desk = plain()
  desk.unseen = undefined
  expect(quoted(desk, 1_000_000).last).toBeNull()
  desk.quote(70_000, { at: desk.now - 5 })
  expect(quoted(desk, 1_000_000).last).toEqual({ price: 70_000, at: desk.now - 5 })
  // It was only read: no trade was seen yet.
  desk.quote(70_000, { at: 0, shownAt: desk.now - 900 })
  expect(quoted(desk, 1_000_000)).toMatchObject({ isOld: true, last: { price: 70_000, at: desk.now - 900 } })
})

const asked = (ago: number): Desk => {
  const desk = plain().quote(70_000)
  desk.do({ kind: 'cash', amount: 500_000, askedAt: desk.now }).wait(ago)
  return desk.quote(70_000)
}

describe('cash', () => {
  test('that was just asked refuses what it does not pay for; an older answer only says how far it goes', () => {
    expect(quoted(asked(10_000), 1_000_000)).toMatchObject({ refusal: expect.stringContaining('5주까지'), buyable: 5 })
    expect(quoted(asked(10_001), 1_000_000)).toMatchObject({ refusal: null, buyable: 5, cash: { amount: 500_000 } })
  })

  test('never asked: unknown', () => {
    expect(quoted(plain().quote(70_000), 1_000_000)).toMatchObject({ cash: null, buyable: null })
  })
})
