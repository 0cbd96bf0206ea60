import type { Command } from '@digger/engine'
import { CODE, Exchange } from '@digger/engine/testing'
import { realStartView, Shadows, ShadowOrders, shadowOrderView, shadowView } from '@digger/shadow'
import { verifyAccount } from '@digger/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'

let market: Exchange
let shadows: Shadows

/** As the server puts both together. */
function rehearse(): Shadows {
  const { db, owned } = market.database
  const problem = (_userId: string, error: unknown): void => void market.problems.push(error)
  const made = new Shadows({ rehearsing: market.engine.rehearsing, db, clock: market.clock, owned, problem })
  market.engine.rehearsing.begin(made)
  return made
}

beforeEach(async () => {
  market = await Exchange.open()
  market.sim.setPrice(CODE, 158_000)
  shadows = rehearse()
})
afterEach(() => market.close())

async function still(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve))
  while (shadows.busy)
  await market.settle()
}
async function price(won: number): Promise<void> {
  await market.price(won)
  await still()
}
async function wait(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    await market.wait(1_000)
    await still()
  }
}
/** What is ordered by hand; time passes only while the rehearsal has nothing in hand, however slow the machine. */
async function byHand(command: Command): Promise<unknown> {
  const reply = market.engine.ask(market.userId, command)
  const answered = Promise.allSettled([reply]).then(() => true)
  while (!(await Promise.race([answered, wait(1_000).then(() => false)])));
  return reply
}
const turn = (shadow: boolean) => market.ask({ kind: 'setShadow', code: CODE, shadow })
const start = () => realStartView(market.userId, CODE, { real: market.engine.book(market.userId), shadows })
const view = () => shadowView(market.userId, market.engine.book(market.userId), { shadows, priceOf: () => 158_000 })
const rehearsed = async () => {
  const range = { from: '20260101', to: '20261231', code: null }
  const orders = await new ShadowOrders(market.database.db).of(market.userId, range)
  return orders.map((order) => shadowOrderView(order, '삼성전자'))
}

test('in the shadow a price makes an order that is shown and not sent; for real the next one goes out', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  await turn(true)
  await wait(3_000)
  await price(156_900)
  await price(156_900)
  expect(market.sim.orders(market.account)).toEqual([])
  expect(market.orders).toEqual([])
  expect(await rehearsed()).toMatchObject([
    { orderType: 'SELL', price: 158_500, live: true, filledQty: 0, name: '삼성전자' },
    { orderType: 'BUY', price: 156_900, live: false, filledQty: 2, filledAmount: 313_800, auto: true },
  ])
  expect(view()).toMatchObject({
    everything: false,
    stocks: [
      {
        shadow: true,
        rehearsed: { remainCount: 2, remainAmount: 313_800, openGain: 2_200, orders: 1 },
      },
    ],
  })
  expect(start()).toMatchObject({ atOnce: [{ orderType: 'BUY', qty: 2, price: 156_900 }] })
  await turn(false)
  await wait(2_000)
  // As the question said.
  expect(market.taken('buy')).toMatchObject([{ count: 2, price: 156_900 }])
  expect(market.stock).toMatchObject({ shadow: false, lots: [{ count: 2, buyAmount: 313_800 }] })
  expect(view().stocks).toMatchObject([{ shadow: false, rehearsed: null }])
  expect((await verifyAccount(market.database.db, market.userId)).differences).toEqual([])
  expect(market.problems).toEqual([])
})

test('into the shadow: what rests is cancelled at the exchange, the lots are copied, and going back names what would leave', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  await price(156_900)
  await wait(1_000)
  expect(market.sim.liveOrders(market.account)).toHaveLength(1)
  await turn(true)
  await wait(3_000)
  expect(market.sim.liveOrders(market.account)).toEqual([])
  expect(view().stocks).toMatchObject([{ rehearsed: { remainCount: 2, orders: 1 } }])
  expect(start()).toMatchObject({ atOnce: [{ orderType: 'SELL', qty: 2, price: 158_500 }] })
  await price(158_500)
  await price(158_600)
  expect(view().stocks).toMatchObject([{ rehearsed: { remainCount: 0, realisedGain: 3_200 } }])
  // The real shares are there as before, and counted in nothing.
  expect(market.stock).toMatchObject({ lots: [{ count: 2 }], accGainAmount: 0 })
  expect(market.engine.book(market.userId).gainToday).toBe(0)
})

test('a sale by hand says that it was not sent', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  await price(156_900)
  await wait(1_000)
  await turn(true)
  await wait(3_000)
  const before = market.taken('sell').length
  await expect(byHand({ kind: 'sellAtMarket', code: CODE })).rejects.toThrow('연습: 보내지 않았습니다.')
  await still()
  expect(market.taken('sell')).toHaveLength(before)
  expect(view().stocks).toMatchObject([{ rehearsed: { remainCount: 0 } }])
})

test('a buy by hand is quoted as one that is sent, marked as a rehearsal, and then rehearsed', async () => {
  await market.watch({ autoBuy: false, maxBuyPrice: null, maxBuyAmount: null })
  await turn(true)
  await wait(3_000)
  await price(158_000)
  const quote = market.engine.buyQuote(market.userId, { code: CODE, amount: 1_000_000 })
  expect(quote).toMatchObject({ refusal: null, shadow: true, order: { count: 6 }, last: { price: 158_000 } })
  const seen = { price: quote?.last?.price ?? 0, worst: quote?.order?.reservedPrice }
  const buy = byHand({ kind: 'marketBuy', code: CODE, amount: 1_000_000, seen })
  await expect(buy).rejects.toThrow('그림자 장부에 주문 1건을 적었습니다.')
  await still()
  expect(market.taken('buy')).toEqual([])
  expect((await rehearsed()).at(-1)).toMatchObject({ orderType: 'BUY', qty: 6, filledQty: 6, auto: false })
})

test.each<[string, () => Promise<never>, string]>([
  ['keeps silent', () => new Promise(() => undefined), '아무것도 바꾸지 않았습니다.'],
  ['is not there', () => Promise.reject(new Error('ECONNREFUSED')), '증권사에 매수 가능 금액을 묻지 못했습니다:'],
])('a buy by hand while the broker %s is answered in time, and rehearses nothing', async (_how, buyable, text) => {
  await market.watch({ autoBuy: false, maxBuyPrice: null, maxBuyAmount: null })
  await turn(true)
  await wait(3_000)
  await price(158_000)
  Object.assign(market.engine.kis(market.userId), { buyable })
  const askedAt = market.clock.now()
  const buy = byHand({ kind: 'marketBuy', code: CODE, amount: 1_000_000 })
  await expect(buy).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE', message: expect.stringContaining(text) })
  expect(market.clock.now() - askedAt).toBeLessThanOrEqual(36_000)
  await still()
  expect(await rehearsed()).toEqual([])
})

test('a new process goes on where the one before ended, and still sends nothing', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  await turn(true)
  await wait(3_000)
  await price(156_900)
  await price(156_900)
  const shown = await rehearsed()
  await market.restart()
  shadows = rehearse()
  await wait(3_000)
  await price(156_900)
  expect(await rehearsed()).toEqual(shown)
  await price(158_600)
  expect(view().stocks).toMatchObject([{ rehearsed: { remainCount: 0, realisedGain: 3_200 } }])
  expect(market.sim.orders(market.account)).toEqual([])
})
