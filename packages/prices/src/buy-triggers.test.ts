import { ASK_AHEAD_PERCENT, emptyBook, evolve, type Book } from '@digger/core'
import { statusesBy } from '../test/statuses-by.ts'
import { TestClock } from '@digger/database/testing'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { SETTINGS } from '../test/settings.ts'
import { BuyTriggers } from './buy-triggers.ts'
import { opened } from '../test/opened.ts'
import { AllPrices } from './all-prices.ts'
import { Prices } from './prices.ts'
import { PriceVersions } from './price-versions.ts'

const AT = 1_800_000_000_000
const CODES = ['000660', '005930', '035720'] as const

const noPrices = (clock = new TestClock()): AllPrices =>
  new AllPrices(() => new Prices({ priceChanged: () => undefined }, clock), statusesBy(clock))
const trade = (prices: AllPrices, code: string, price: number): void =>
  prices.of('KRX').tickReceived({ code, price, halted: false, base: 0, trade: true })

/** A book with these stocks, each with the price its next buy waits for. */
function bookOf(next: ReadonlyMap<string, number | null>): Book {
  let book = emptyBook('20261116')
  for (const code of next.keys()) {
    const issue = { code, kind: 'stock', market: 'KOSPI', nxt: false } as const
    book = evolve(book, { kind: 'stockAdded', code, name: code, issue, settings: SETTINGS, at: AT })
  }
  const stocks = [...book.stocks].map(
    ([code, stock]) => [code, { ...stock, nextBuyPrice: next.get(code) ?? null }] as const,
  )
  return { ...book, stocks: new Map(stocks) }
}

const books = fc.array(
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...CODES), fc.option(fc.integer({ min: 100, max: 300 }))), {
      selector: ([code]) => code,
    })
    .map((entries) => bookOf(new Map(entries))),
  { minLength: 1, maxLength: 8 },
)

test('after any sequence of books an account is woken where the last one wants to buy, and nowhere else', () => {
  fc.assert(
    fc.property(books, (sequence) => {
      const prices = noPrices()
      let woken: string[] = []
      const triggers = new BuyTriggers(prices, { wake: (code) => void woken.push(code) })
      for (const book of sequence) triggers.follow(book)
      const last = sequence.at(-1)
      for (const code of CODES) {
        const next = last?.stocks.get(code)?.nextBuyPrice ?? null
        const far = next === null ? 1 : Math.floor(next * (1 + ASK_AHEAD_PERCENT / 100)) + 1
        trade(prices, code, 1_000)
        woken = []
        trade(prices, code, far)
        expect(woken).toEqual([])
        trade(prices, code, next ?? 1)
        expect(woken).toEqual(next === null ? [] : [code])
      }
    }),
  )
})

test('the trigger stands a little above the next buy, so that cash is asked in time', () => {
  const prices = noPrices()
  new BuyTriggers(prices, { wake: () => undefined }).follow(bookOf(new Map([['005930', 100_000]])))
  expect(prices.concerns('005930', 100_000 + ASK_AHEAD_PERCENT * 1_000)).toBe(true)
  expect(prices.concerns('005930', 100_001 + ASK_AHEAD_PERCENT * 1_000)).toBe(false)
})

test('a version of prices changes with the prices of the account’s own stocks and with nothing else', () => {
  const prices = noPrices()
  const versions = new PriceVersions(prices)
  const book = bookOf(new Map([['005930', null]]))
  const first = versions.of('a', book)
  expect(versions.of('a', book)).toBe(first)
  trade(prices, '000660', 1)
  expect(versions.of('a', book)).toBe(first)
  trade(prices, '005930', 1)
  const second = versions.of('a', book)
  expect(second).toBeGreaterThan(first)
  opened(prices.of('KRX'), '005930', { band: { lower: 1, upper: 2 }, price: 1, halted: false })
  expect(versions.of('a', book)).toBeGreaterThan(second)
  // Another account asks in between, and the account's book gains a stock.
  expect(versions.of('b', bookOf(new Map([['000660', null]])))).toBe(1)
  expect(
    versions.of(
      'a',
      bookOf(
        new Map([
          ['005930', null],
          ['000660', null],
        ]),
      ),
    ),
  ).toBe(4)
  expect(versions.of('a', book)).toBe(3)
})
