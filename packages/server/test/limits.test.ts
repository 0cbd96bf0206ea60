import type { LiveEvent } from '@digger/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyAccount } from '@digger/storage'
import { CODE, Exchange } from '@digger/engine/testing'
import { limitsView, liveEventsOf, stopsView } from '@digger/screens'

let market: Exchange
let events: LiveEvent[]

beforeEach(async () => {
  market = await Exchange.open()
  events = []
  market.engine.observe({
    accountChanged: (change) => events.push(...liveEventsOf(market.engine, change, market.sim.clock.now())),
  })
  await market.watch({ maxBuyPrice: 157_000, autoSell: false })
})
afterEach(() => market.close())

const view = (cash: number | null = null) => {
  const { engine, userId, sim } = market
  const quote = (code: string) => engine.lastPrice(code) ?? undefined
  return limitsView(engine.book(userId), { now: sim.clock.now(), limits: engine.limits, quote, cash })
}
const limit = (name: string) => view().limits.find((one) => one.name === name)
const stops = () => stopsView(market.engine.book(market.userId), 'active', null)
const set = (change: object) => market.engine.ask(market.userId, { kind: 'setLimits', change })
const expectVerified = async () =>
  expect((await verifyAccount(market.database.db, market.userId)).differences).toEqual([])

test('a tightened limit refuses the next buy, stops the buying and reaches every screen; a restart forgets nothing', async () => {
  await set({ positionAmount: 300_000 })
  expect(events).toContainEqual({ kind: 'limits' })
  await market.price(156_900)
  await market.wait(1_000)
  // Two shares at 156,900 won would be 313,800 won.
  expect(market.taken('buy')).toEqual([])
  expect(stops()).toMatchObject({ user: 'reduce', reached: [{ limit: 'positionAmount', code: null }] })
  expect(events.findLast((event) => event.kind === 'stop')).toMatchObject({ stops: { user: 'reduce', reached: [{}] } })
  expect(limit('positionAmount')).toMatchObject({ value: 300_000, used: 0, ceiling: null, pending: null })
  const before = stops()
  await expectVerified()
  await market.restart()
  expect(stops()).toEqual(before)
  // Letting go does not open what is still reached.
  await market.engine.ask(market.userId, { kind: 'setStop', level: 'user', code: null, stop: 'active' })
  expect(stops().user).toBe('active')
  await market.price(157_500)
  await market.price(156_800)
  await market.wait(1_000)
  expect([market.taken('buy'), stops().user]).toEqual([[], 'reduce'])
  await expectVerified()
}, 60_000)

test('a loosened limit waits for the opening of the next day, across a restart', async () => {
  await set({ positionAmount: 300_000 })
  await set({ positionAmount: 400_000 })
  const pending = { value: 400_000, from: '20260106' }
  expect(limit('positionAmount')).toMatchObject({ value: 300_000, pending })
  await market.restart()
  await market.advance(13 * 3_600_000)
  await market.wait(1_000)
  expect(limit('positionAmount')).toMatchObject({ value: 300_000, pending })
  // Eleven at night; an hour later it is the next day.
  await market.advance(3_600_000)
  await market.wait(1_000)
  expect(limit('positionAmount')).toMatchObject({ value: 400_000, pending: null })
  await expectVerified()
}, 60_000)

test('lots, loss and circles are counted; a loss stops on the timer', async () => {
  await market.price(156_900)
  await market.wait(1_000)
  expect(market.stock?.lots).toMatchObject([{ count: 2, buyAmount: 313_800 }])
  expect(limit('positionAmount')).toMatchObject({ used: 313_800 })
  expect(limit('dailyBuyAmount')).toMatchObject({ used: 313_800 })
  await set({ lossAmount: 1_000 })
  await market.price(156_400)
  await market.wait(1_000)
  expect(limit('lossAmount')).toMatchObject({ used: 1_000 })
  expect(stops()).toMatchObject({ user: 'reduce', reached: [{ limit: 'lossAmount' }] })
  // What is held may still be sold.
  await market.ask({ kind: 'sellAtPrice', code: CODE, price: 156_400, slices: 1 })
  await market.price(156_400)
  await market.wait(2_000)
  expect(market.stock?.lots).toEqual([])
  expect(limit('repeatCount')).toMatchObject({ used: 1 })
  await expectVerified()
}, 60_000)

test('the first days cut what is bought, over a restart, and an end of them waits for the next day', async () => {
  const rule = { on: true, days: 5, amount: 1_000_000 }
  const setFirstDays = (change: object) =>
    market.engine.ask(market.userId, { kind: 'setFirstDays', rule: { ...rule, ...change } })
  await setFirstDays({})
  expect(events).toContainEqual({ kind: 'limits' })
  await market.price(156_900)
  await market.wait(1_000)
  expect(market.stock?.lots).toMatchObject([{ count: 1 }])
  await setFirstDays({ on: false })
  const before = view().firstDays
  expect(before).toMatchObject({ ...rule, startedOn: '20260105', pending: { on: false, from: '20260106' } })
  await expectVerified()
  await market.restart()
  expect(view().firstDays).toEqual(before)
  await market.advance(15 * 3_600_000)
  await market.wait(1_000)
  expect(view().firstDays).toMatchObject({ on: false, pending: null })
  await expectVerified()
}, 60_000)

test('limits for a beginner follow what the account has; without an answer about cash there are none', () => {
  expect(view().proposed).toEqual([])
  const proposed = view(10_000_000).proposed
  expect(proposed.map(({ name }) => name)).toContain('positionAmount')
  expect(proposed.find(({ name }) => name === 'positionAmount')).toMatchObject({ value: 5_000_000 })
  // One share of the stock that is watched, at its upper limit.
  expect(proposed.find(({ name }) => name === 'orderAmount')?.value).toBe(Math.ceil(market.sim.price(CODE) * 1.3))
})

test('venues that the owner chose hold over a restart and reach every screen', async () => {
  const venues = { sor: true, preMarket: false, afterMarket: true }
  expect(market.engine.book(market.userId).venues).toEqual({ sor: false, preMarket: false, afterMarket: false })
  await market.engine.ask(market.userId, { kind: 'setVenues', venues })
  expect(events).toContainEqual({ kind: 'limits' })
  await market.restart()
  expect(market.engine.book(market.userId).venues).toEqual(venues)
  await expectVerified()
}, 60_000)
