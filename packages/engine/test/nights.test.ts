import { kstInstant, type Order } from '@digger/core'
import { afterEach, expect, test } from 'vitest'
import { verifyAccount } from '@digger/storage'
import { CODE, Exchange } from './exchange.ts'

/** Orders that expire night after night, as the broker's list may show them. */
const DAYS = ['20261110', '20261111', '20261112', '20261113'] as const
const TIMEOUT_MS = 120_000

let market: Exchange
afterEach(() => market.close())

/** Minute by minute, with the server's timers. */
async function pass(day: string, from: string, until: string): Promise<void> {
  await market.advance(kstInstant(day, from) - market.sim.clock.now())
  while (market.sim.clock.now() < kstInstant(day, until)) {
    await market.advance(59_000)
    await market.wait(1_000)
  }
}

const restingOn = (day: string): Order[] =>
  market.orders.filter((order) => order.side === 'sell' && order.status === 'open' && order.day === day)

/** Three lots whose sales lie too high to fill. */
async function threeLots(assumptions: NonNullable<Parameters<typeof Exchange.open>[1]>['assumptions']) {
  market = await Exchange.open({}, { start: kstInstant(DAYS[0], '100000'), assumptions: { ...assumptions } })
  await market.watch({ maxBuyPrice: 160_000, maxBuyAmount: 1_100_000, buyPercent: -1, sellPercent: 5 })
  for (let n = 0; n < 12 && (market.stock?.lots.length ?? 0) < 3; n += 1) {
    await market.price(Math.min(158_000, market.stock?.nextBuyPrice ?? 158_000))
    await market.wait(5_000)
  }
  expect(market.stock?.lots).toHaveLength(3)
  expect(restingOn(DAYS[0])).toHaveLength(3)
}

test.each([
  ['end', 'looks on', false],
  ['end', 'is gone over the close', true],
  ['evening', 'is gone over the close', true],
  ['midnight', 'is gone over the close', true],
] as const)(
  'three nights in which the list shows expired orders as rejected from the %s on, and the server %s',
  async (expiredShownFrom, _name, isGone) => {
    await threeLots({ expiredShownAs: 'rejected', expiredShownFrom })
    for (const [n, day] of DAYS.slice(1).entries()) {
      const before = DAYS[n] ?? ''
      if (isGone) await market.restart(kstInstant(day, '073000') - market.sim.clock.now())
      else await pass(before, '152000', '154500')
      await pass(day, '081500', '091000')
      expect([day, restingOn(day).length, market.stock?.blocked]).toEqual([day, 3, null])
      expect(market.orders.filter(({ status }) => status === 'rejected')).toEqual([])
    }
    expect(market.sim.broker.assumed.times('expiredShownAs')).toBeGreaterThan(0)
    expect((await verifyAccount(market.database.db, market.userId)).differences).toEqual([])
    await market.price(restingOn(DAYS[3]).toSorted((a, b) => a.price - b.price)[0]?.price ?? 0)
    await market.wait(5_000)
    expect(market.stock?.lots).toHaveLength(2)
  },
  TIMEOUT_MS,
)

test('shares held for years: kept out they are nobody’s lot; taken over they wait until their owner agrees', async () => {
  market = await Exchange.open({}, { start: kstInstant(DAYS[0], '100000') })
  market.sim.setPrice(CODE, 158_000)
  market.sim.setHolding(market.account, CODE, 100, 120_000)
  await market.watch({ maxBuyPrice: 150_000 })
  const sells = () => market.taken('sell').length
  await market.wait(30_000)
  await market.ask({ kind: 'checkBalance', code: CODE })
  await market.wait(30_000)
  expect([market.stock?.lots.length, market.stock?.blocked === null, sells()]).toEqual([0, false, 0])

  await market.ask({ kind: 'keepShares', code: CODE, count: 100 })
  await market.wait(30_000)
  await market.ask({ kind: 'checkBalance', code: CODE })
  await market.wait(30_000)
  expect([market.stock?.lots.length, market.stock?.blocked, sells()]).toEqual([0, null, 0])

  await market.ask({ kind: 'keepShares', code: CODE, count: 0 })
  await market.wait(30_000)
  await market.ask({ kind: 'fixBalance', code: CODE })
  await market.wait(60_000)
  expect(market.stock?.lots).toMatchObject([{ count: 100, takenOver: true }])
  expect([market.stock?.blocked, sells()]).toEqual([null, 0])

  const [lot] = market.stock?.lots ?? []
  await market.ask({ kind: 'releaseLots', code: CODE, lotIds: [lot?.id ?? 0] })
  await market.wait(10_000)
  expect(sells()).toBe(1)
})
