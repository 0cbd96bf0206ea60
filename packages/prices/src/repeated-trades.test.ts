import { TestClock } from '@digger/database/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { Prices } from './prices.ts'
import type { Trade } from '@digger/kis'

const CODE = '005930'
const ONE = { code: CODE, price: 69_900, halted: false, base: 71_000, trade: true, time: 100_000, volume: 10 }

let clock: TestClock
let prices: Prices
let woken: number

beforeEach(() => {
  clock = new TestClock()
  woken = 0
  prices = new Prices({ priceChanged: () => undefined }, clock)
  prices.setTrigger({ wake: () => void (woken += 1) }, CODE, 70_000)
  // The first trade only re-bases.
  prices.tickReceived({ ...ONE, time: 99_999, volume: 9 })
})

test('a trade that every account’s socket brings counts once, also where one lags far behind another', () => {
  const trades = Array.from({ length: 50 }, (_, n) => ({
    ...ONE,
    price: 69_900 - n,
    time: 100_000 + n,
    volume: 10 + n,
  }))
  for (const trade of trades) prices.tickReceived(trade)
  const { changes } = prices
  const at = clock.now()
  clock.advance(300)
  for (let socket = 0; socket < 499; socket += 1) for (const trade of trades) prices.tickReceived(trade)
  expect([woken, prices.changes, prices.quote(CODE)]).toMatchObject([50, changes, { price: 69_851, at }])
})

describe('after a trade', () => {
  const ticks: readonly [string, Trade, wakes: boolean][] = [
    ['the same once more is none', ONE, false],
    ['an earlier one is none', { ...ONE, price: 69_800, time: 99_998, volume: 8 }, false],
    ['one of the same second with less volume is an earlier one', { ...ONE, volume: 9 }, false],
    ['more volume is a trade', { ...ONE, volume: 11 }, true],
    ['a later time is one, whatever the volume', { ...ONE, time: 100_001, volume: 1 }, true],
    ['more volume is one, whatever the time', { ...ONE, time: 90_000, volume: 11 }, true],
    ['another price at the same volume is one', { ...ONE, price: 69_800 }, true],
    ['a halt at the same volume is one', { ...ONE, halted: true }, true],
    ['another base is one: it may be of another day', { ...ONE, base: 70_000, time: 90_000, volume: 1 }, true],
    [
      'without time and volume it is one',
      { code: CODE, price: 69_900, halted: false, base: 71_000, trade: true },
      true,
    ],
  ]
  test.each(ticks)('%s', (_, tick, wakes) => {
    prices.tickReceived(ONE)
    prices.tickReceived(tick)
    expect(woken).toBe(wakes ? 2 : 1)
  })

  test('nothing is old when nothing was seen for a minute, or on another day', () => {
    prices.tickReceived(ONE)
    const earlier = { ...ONE, time: 90_000, volume: 1 }
    clock.advance(60_000)
    prices.tickReceived(earlier)
    expect(woken).toBe(1)
    clock.advance(1)
    prices.tickReceived(earlier)
    expect(woken).toBe(2)
    prices.beginDay('20991231')
    prices.tickReceived({ ...earlier, time: 80_000, volume: 0 })
    expect(woken).toBe(3)
  })

  test('a gap is not over because a trade from before it comes late', () => {
    prices.tickReceived(ONE)
    prices.gap([CODE])
    prices.tickReceived(ONE)
    prices.tickReceived({ ...ONE, volume: 11 })
    expect(woken).toBe(1)
    prices.tickReceived({ ...ONE, volume: 12 })
    expect(woken).toBe(2)
  })
})
