import { dailyLimits, kstInstant, type Order } from '@digger/core'
import { afterEach, expect, test } from 'vitest'
import { CODE, Exchange } from './exchange.ts'

/** What a real account met, or would have, on the morning after: each of these once stopped a stock in silence. */
const FRIDAY = '20261113'
const MONDAY = '20261116'

let market: Exchange
afterEach(() => market.close())

const until = async (day: string, time: string): Promise<void> => {
  await market.advance(kstInstant(day, time) - 1_000 - market.sim.clock.now())
  await market.wait(1_000)
}
/** A minute at a time, with the server's timers. */
const pass = async (day: string, time: string): Promise<void> => {
  while (market.sim.clock.now() < kstInstant(day, time)) {
    await market.advance(59_000)
    await market.wait(1_000)
  }
}
const resting = (): Order[] =>
  market.orders.filter(({ side, status, day }) => side === 'sell' && status === 'open' && day === MONDAY)
const refused = (): Order[] => market.orders.filter(({ status }) => status === 'rejected')

/** Three lots, bought on Friday one percent below each other, with their sales resting. */
async function threeLots(assumptions: NonNullable<Parameters<typeof Exchange.open>[1]>['assumptions'] = {}) {
  market = await Exchange.open({}, { start: kstInstant(FRIDAY, '100000'), assumptions })
  await market.watch({ maxBuyPrice: 160_000, maxBuyAmount: 1_100_000, buyPercent: -1 })
  for (let n = 0; n < 12 && (market.stock?.lots.length ?? 0) < 3; n += 1) {
    await market.price(Math.min(158_000, market.engine.book(market.userId).stocks.get(CODE)?.nextBuyPrice ?? 158_000))
    await market.wait(5_000)
  }
  expect(market.stock?.lots).toHaveLength(3)
}

test('three sales refused in the second the session opens, in the broker’s words: they rest two minutes later', async () => {
  await threeLots()
  await until(MONDAY, '082500')
  market.sim.faults.add({
    kind: 'refuse',
    endpoint: 'orderSell',
    code: 'APBK0918',
    text: '장운영시간이 아닙니다.(08:30)',
  })
  await market.wait(6 * 60_000)
  expect(market.sim.orders(market.account).filter(({ day }) => day === MONDAY)).toEqual([])
  expect(resting()).toEqual([])
  expect(market.stock?.blocked).toBeNull()
  market.sim.faults.clear()
  await until(MONDAY, '091000')
  expect([resting().length, market.stock?.blocked]).toEqual([3, null])
})

test('the day after a crash, limits that roll at eight: nothing leaves in the old ones, and what fits the new ones rests', async () => {
  await threeLots({ baseShownFrom: '08:00' })
  const targets = market.orders.filter(({ side }) => side === 'sell').map(({ price }) => price)
  const first = market.sim.price(CODE)
  market.sim.setPrice(CODE, Math.round((first * 0.79) / 100) * 100)
  await until(MONDAY, '075500')
  await pass(MONDAY, '091000')
  const { upper } = dailyLimits(market.sim.broker.exchange.issue(CODE).base, 'stock')
  const due = targets.filter((price) => price <= upper)
  expect([targets.length, due.length]).toEqual([3, 2])
  expect([resting().length, refused().map(({ price }) => price), market.stock?.blocked]).toEqual([due.length, [], null])
})

test('a sale cancelled by phone waits for the next day, and rests again then', async () => {
  await threeLots()
  await until(MONDAY, '100000')
  const [first] = resting()
  expect(resting()).toHaveLength(3)
  market.sim.byPhone(market.account, { kind: 'cancel', odno: first?.odno ?? '' })
  await market.wait(60_000)
  await until(MONDAY, '143000')
  await market.wait(60_000)
  expect(resting()).toHaveLength(2)
  expect(market.stock?.lots.filter(({ heldBack }) => heldBack)).toHaveLength(1)
  await until('20261117', '091000')
  const again = market.orders.filter(
    ({ side, status, day }) => side === 'sell' && status === 'open' && day === '20261117',
  )
  expect([again.length, market.stock?.blocked]).toEqual([3, null])
})
