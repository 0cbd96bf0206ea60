import { BuyQuote, Problem, SaleQuote, Sent } from '@digger/contract'
import { kstInstant } from '@digger/core'
import { type TestPlace, testPlace } from '@digger/database/testing'
import { SETTINGS } from '@digger/engine/testing'
import { setAdmin } from '@digger/identity'
import { UNLIMITED } from '@digger/kis'
import { demoCredentials, type Sim, startSim } from '@digger/kis-sim'
import { readConfig } from '@digger/config'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLogger } from '../src/log.ts'
import { createServer, type DiggerServer } from '../src/server.ts'
import { writeMasterKey } from './master-key-file.ts'
import { cookieOf } from './server-fixture.ts'

/** Whole server, pretend broker: what a person is shown before a press is what the broker then gets, to the won. */
const CODE = '005930'
const CREDENTIALS = demoCredentials(0)
const PERSON = { email: 'minji@digger.test', password: '열려라참깨1234' }
const SOON = { timeout: 60_000, interval: 50 }
// Longer than what it waits for.
vi.setConfig({ testTimeout: 90_000 })

const master = writeMasterKey()
let place: TestPlace
let sim: Sim
let server: DiggerServer
let cookie = ''

const call = (method: 'GET' | 'POST', path: string, payload?: object) =>
  server.app.inject({ method, url: `/api/user/stock/${CODE}${path}`, headers: { cookie }, ...(payload && { payload }) })
const buyQuote = async (amount: number) => BuyQuote.parse((await call('GET', `/buy?amount=${amount}`)).json())
const saleQuote = async () => SaleQuote.parse((await call('GET', '/sell?how=market')).json())

beforeAll(async () => {
  place = await testPlace()
  const accounts = [{ credentials: CREDENTIALS, cash: 100_000_000 }]
  const clock = { mode: 'real', start: kstInstant('20261120', '100000') } as const
  sim = await startSim({ port: 0, hours: 'always', clock, walk: 'off', limits: 'off', latency: 'none', accounts })
  server = await createServer({
    config: readConfig({ MASTER_KEY_FILE: master.file, PORT: '0', ...place.config }),
    broker: { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl },
    hours: 'always',
    clock: sim.clock,
    rateLimits: UNLIMITED,
    log: createLogger('fatal'),
  })
  const open = (url: string, payload: object) =>
    server.app.inject({ method: 'POST', url, headers: { cookie }, payload })
  await open('/api/user/user', { ...PERSON, ...CREDENTIALS })
  // An administrator may buy by hand.
  await setAdmin(server.database.db, PERSON.email, true)
  cookie = cookieOf(await open('/api/login', PERSON))
  await vi.waitFor(async () => {
    const settings = { ...SETTINGS, autoBuy: false, autoSell: false, maxBuyPrice: null, maxBuyAmount: null }
    const { statusCode, body } = await call('POST', '', settings)
    if (statusCode !== 200) throw new Error(body)
  }, SOON)
}, 120_000)
afterAll(async () => {
  await server.close()
  await sim.close()
  await place[Symbol.asyncDispose]()
  master.remove()
})

/** A trade at this price, and a quote that knows of it and of the day's limits. */
const tradedAt = async (price: number) => {
  return vi.waitFor(async () => {
    // A trade from before the socket has registered the stock is seen by nobody.
    sim.setPrice(CODE, price)
    const quote = await buyQuote(100)
    expect([quote.lastPrice, quote.isPriceOld, quote.worstPrice]).toEqual([price, false, 206_000])
    return quote
  }, SOON)
}
const newest = () => sim.orders(CREDENTIALS.accountNumber).at(-1)

test('a buy is sent as it was quoted', async () => {
  const quote = await tradedAt(158_000)
  expect(quote).toMatchObject({ refusal: null, qty: 6, type: 'market', price: null, worstAmount: 6 * 206_000 })
  expect(quote.priceAgeMs).toBeLessThan(60_000)
  const seen = { price: 158_000, worst: 206_000 }
  const reply = await call('POST', '/order/buy', { amount: 100, seen })
  const [order] = Sent.parse(reply.json()).orders
  expect(order).toEqual({ orderType: 'BUY', qty: quote.qty, price: quote.price, exchangeCode: quote.exchangeCode })
  expect(newest()).toMatchObject({ code: CODE, side: 'buy', count: quote.qty })
})

test('a price that has moved since it was seen, or a dearer order, is refused with what to do; nothing is sent', async () => {
  await tradedAt(158_000)
  const before = sim.orders(CREDENTIALS.accountNumber).length
  for (const seen of [
    { price: 154_000, worst: 206_000 },
    { price: 163_000, worst: 206_000 },
    { price: 158_000, worst: 205_999 },
  ]) {
    const reply = await call('POST', '/order/buy', { amount: 100, seen })
    expect([reply.statusCode, Problem.parse(reply.json()).message]).toEqual([
      409,
      expect.stringContaining('다시 눌러 주세요'),
    ])
  }
  expect(sim.orders(CREDENTIALS.accountNumber)).toHaveLength(before)
})

test('a sale at the market goes out near the price that was seen, and to the venue that was quoted', async () => {
  await vi.waitFor(async () => expect((await saleQuote()).free).toBeGreaterThan(0), SOON)
  await tradedAt(157_900)
  const quote = await saleQuote()
  const refused = await call('POST', '/sell/market-price?qty=1&seenPrice=170000')
  expect([refused.statusCode, Problem.parse(refused.json()).code]).toEqual([409, 'CONFLICT'])
  const reply = await call('POST', '/sell/market-price?qty=1&seenPrice=157900')
  expect(Sent.parse(reply.json()).orders).toEqual([
    { orderType: 'SELL', qty: 1, price: null, exchangeCode: quote.exchangeCode },
  ])
})

test('less than a share is said before the press; cash that nobody has asked for is unknown, and refuses nothing yet', async () => {
  await tradedAt(158_000)
  expect(await buyQuote(10)).toMatchObject({ qty: 0, type: null, refusal: expect.stringContaining('모자란') })
  const dear = await buyQuote(100_000)
  expect(dear).toMatchObject({ refusal: null, qty: 6_329, cash: null, cashAt: null, buyable: null })
  const reply = await call('POST', '/order/buy', { amount: 100_000 })
  expect([reply.statusCode, Problem.parse(reply.json()).message]).toEqual([409, expect.stringContaining('주까지')])
})

test.each(['', '?amount=0', '?amount=x', '?amount=1.5', '?amount=100001'])(
  'an amount of “%s” is none',
  async (query) => {
    expect((await call('GET', `/buy${query}`)).statusCode).toBe(400)
  },
)
