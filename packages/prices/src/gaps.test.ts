import { TestClock } from '@digger/database/testing'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Prices } from './prices.ts'
import type { PriceLine } from '@digger/kis'

const CODE = '005930'

let clock: TestClock
let now: number
let shares: number
let woken: number
let prices: Prices

beforeEach(() => {
  clock = new TestClock()
  now = 1_000
  shares = 0
  woken = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  prices = new Prices({ priceChanged: () => undefined }, clock)
  prices.setTrigger({ wake: () => void (woken += 1) }, CODE, 70_000)
  // The first trade only re-bases.
  trade(null)
  return () => vi.restoreAllMocks()
})

/** One that brings KRX's trades since then. */
const line = (since: number | null): PriceLine => ({
  watchedSince: (code, market) => (code === CODE && market === 'KRX' ? since : null),
})

function trade(by: PriceLine | null, { venue = 'KRX' }: { readonly venue?: 'KRX' | 'NXT' } = {}): void {
  const at = { volume: (shares += 1), time: 100_000 + shares, venue }
  prices.tickReceived({ code: CODE, price: 69_000, halted: false, base: 71_000, trade: true, ...at }, by)
}

function gap(): void {
  now += 1_000
  prices.gap([CODE])
  now += 1_000
}

describe('after a line was interrupted', () => {
  test('a trade of one that was there all the time triggers', () => {
    gap()
    trade(line(1_500))
    expect([woken, prices.quote(CODE)?.live]).toEqual([1, true])
  })

  test.each([
    ['one that came back', line(2_500)],
    ['one that was there on another market', { watchedSince: () => null }],
    ['nobody knows which', null],
  ])('a trade of %s only re-bases, and the next triggers', (_, by) => {
    gap()
    trade(by)
    expect([woken, prices.quote(CODE)?.live]).toEqual([0, false])
    trade(by)
    expect(woken).toBe(1)
  })

  test('a line of another market says nothing about this one', () => {
    gap()
    trade(line(1_500), { venue: 'NXT' })
    expect(woken).toBe(0)
  })

  test('and then another, without a trade between: who was not there in the first gap may have missed it', () => {
    gap()
    gap()
    trade(line(3_500))
    expect(woken).toBe(0)
    trade(line(3_500))
    gap()
    trade(line(3_500))
    expect(woken).toBe(2)
  })
})

test('after the clock was set no line was there', () => {
  now += 1_000
  prices.gap([CODE])
  prices.forget([CODE])
  trade(line(1))
  expect([woken, prices.quote(CODE)?.live]).toEqual([0, false])
})

test('a stock that nobody has seen has no trade before its first, whoever brings it', () => {
  prices.setTrigger({ wake: () => void (woken += 1) }, '000660', 70_000)
  const day = { halted: false, base: 71_000, trade: true, volume: 1, time: 100_000, venue: 'KRX' } as const
  prices.tickReceived({ ...day, code: '000660', price: 69_000 }, { watchedSince: () => 1 })
  expect(woken).toBe(0)
})
