import { statusesBy } from '../test/statuses-by.ts'
import { TestClock } from '@digger/database/testing'
import type { MarketOf, Tick } from '@digger/kis'
import { beforeEach, expect, test } from 'vitest'
import { AllPrices } from './all-prices.ts'
import { Prices } from './prices.ts'

const CODE = '005930'
const ALL = ['KRX', 'NXT', 'UN'] as const
let clock: TestClock
let prices: AllPrices
let volume = 0
beforeEach(() => {
  clock = new TestClock()
  prices = new AllPrices(() => new Prices({ priceChanged: () => undefined }, clock), statusesBy(clock))
})

function tick(venue: MarketOf, price: number): void {
  clock.advance(1_000)
  const day = { time: 0, open: price, high: price, low: price, volume: (volume += 1), base: price }
  prices.tickReceived({ code: CODE, venue, price, ...day, trade: true, halted: false } satisfies Tick)
}

test('each market’s trades are its own; people see the latest', () => {
  expect(prices.last(CODE)).toBe(null)
  tick('KRX', 100)
  tick('UN', 110)
  tick('NXT', 120)
  expect(ALL.map((market) => prices.of(market).quote(CODE)?.price)).toEqual([100, 120, 110])
  expect(prices.last(CODE)?.price).toBe(120)
  tick('KRX', 101)
  expect(prices.last(CODE)?.price).toBe(101)
})

test('a trade of any market wakes whoever waits, and counts as a change', () => {
  let woken = 0
  prices.setTrigger({ wake: () => void (woken += 1) }, CODE, 100)
  expect([prices.concerns(CODE, 100), prices.concerns(CODE, 101)]).toEqual([true, false])
  for (const market of ALL) {
    // The first trade of a feed only re-bases.
    tick(market, 100)
    const before = [prices.changes, prices.changesOf([CODE]), woken]
    tick(market, 100)
    expect([prices.changes, prices.changesOf([CODE]), woken]).toEqual(before.map((n) => n + 1))
    tick(market, 101)
    expect(woken).toBe((before[2] ?? 0) + 1)
  }
})

test('a gap of the line is a gap of all', () => {
  for (const market of ALL) for (const price of [100, 101]) tick(market, price)
  prices.gap([CODE])
  for (const market of ALL) {
    tick(market, 102)
    expect(prices.of(market).quote(CODE)).toMatchObject({ live: false })
    tick(market, 103)
    expect(prices.of(market).quote(CODE)).toMatchObject({ live: true })
  }
})

test('a trade with another base than was read makes it doubtful on every venue at once, before it is read again', () => {
  const limits = { day: '20261120', band: { lower: 70, upper: 130 }, base: 100, chart: { close: 100 } }
  tick('KRX', 100)
  tick('UN', 100)
  expect(prices.limitsRead(CODE, limits)).toBe(true)
  const known = () => (['KRX', 'UN'] as const).map((market) => prices.of(market).quote(CODE))
  const still = { moved: null, isDoubted: false }
  expect(known()).toMatchObject([still, still])
  tick('NXT', 50)
  const doubtful = { moved: undefined, isDoubted: true }
  expect(known()).toMatchObject([doubtful, doubtful])
})
