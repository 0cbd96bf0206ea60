import type { LiveEvent, Trade } from '@digger/contract'
import { CODE, Exchange } from '@digger/engine/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closedTrades, liveEventsOf, openTrade, tradeOfRow } from '@digger/screens'

let market: Exchange
let events: LiveEvent[]

beforeEach(async () => {
  market = await Exchange.open()
  events = []
  market.engine.observe({
    accountChanged: (change) => events.push(...liveEventsOf(market.engine, change, market.sim.clock.now())),
  })
  await market.watch({ maxBuyPrice: 157_000 })
})
afterEach(() => market.close())

/** The list of trades as the events alone have it. */
function followed(): Map<number, Trade> {
  const trades = new Map<number, Trade>()
  for (const event of events) {
    if (event.kind === 'trades') for (const trade of event.trades ?? []) trades.set(trade.id, trade)
  }
  return trades
}

/** The list as it is read. */
async function listed(): Promise<Trade[]> {
  const { engine, database, userId, stock, sim } = market
  const price = engine.lastPrice(CODE)?.price ?? null
  const open = (stock?.lots ?? []).map(
    (lot) => stock && openTrade(engine.book(userId), stock, lot, price, sim.clock.now()),
  )
  return [
    ...open.filter((trade) => trade !== undefined),
    ...(await closedTrades(database.db, userId, CODE)).map(tradeOfRow),
  ]
}

/** What follows the price is as old as the event. */
const lasting = ({ gainAmount, gainRatio, netGainAmount, ...trade }: Trade) =>
  trade.sellDateTime === null ? trade : { ...trade, gainAmount, gainRatio, netGainAmount }
const byId = (trades: Iterable<Trade>) => [...trades].sort((a, b) => a.id - b.id).map(lasting)

test('whoever only follows the events has the list that is read: bought, on sale, sold', async () => {
  await market.price(156_900)
  await market.wait(1_000)
  expect(byId(await listed())).toMatchObject([{ buyCount: 2, buying: false, sellDateTime: null }])
  expect(byId(followed().values())).toEqual(byId(await listed()))
  await market.price(155_000)
  await market.wait(1_000)
  expect(byId(followed().values())).toEqual(byId(await listed()))
  await market.price(158_800)
  await market.wait(3_000)
  expect((await listed()).filter((trade) => trade.sellDateTime !== null).length).toBeGreaterThan(0)
  expect(byId(followed().values())).toEqual(byId(await listed()))
}, 60_000)

test('shares that a correction brought are published as taken over, wait, and are sold once released', async () => {
  const { sim, account, engine, userId } = market
  await engine.ask(userId, { kind: 'keepShares', code: CODE, count: 10 })
  sim.setHolding(account, CODE, 16, 154_000)
  await market.price(158_000)
  const fix = () => market.ask({ kind: 'fixBalance', code: CODE })
  await expect(fix()).rejects.toMatchObject({ code: 'CONFLICT' })
  await market.wait(20_000)
  await fix()
  await market.wait(3_000)
  expect(byId(followed().values())).toMatchObject([{ buyCount: 6, takenOver: true, sellOrderId: null }])
  expect(byId(followed().values())).toEqual(byId(await listed()))
  const [trade] = await listed()
  await market.ask({ kind: 'releaseLots', code: CODE, lotIds: [trade?.id ?? 0] })
  await market.price(158_000)
  await market.wait(5_000)
  expect(byId(followed().values())).toMatchObject([{ buyCount: 6, takenOver: false, sellDateTime: expect.any(String) }])
  expect(sim.holdings(account)).toMatchObject([{ count: 10 }])
}, 60_000)

test('a stock that is deleted is published as removed, and one that is added again as a stock', async () => {
  await market.engine.ask(market.userId, { kind: 'deleteStock', code: CODE })
  expect(events.at(-1)).toEqual({ kind: 'removed', code: CODE })
  await market.watch({ maxBuyPrice: 157_000 })
  expect(events.findLast((event) => event.kind === 'stocks')).toMatchObject({ stocks: [{ code: CODE }] })
}, 60_000)
