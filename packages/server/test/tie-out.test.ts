import { BrokerProfit } from '@digger/contract'
import { DAY_MS, kstDay, kstInstant } from '@digger/core'
import { Exports } from '@digger/exports'
import { UNLIMITED, createKis, type KisRest } from '@digger/kis'
import { demoCredentials, type Sim, startSim } from '@digger/kis-sim'
import { type TestPlace, testPlace } from '@digger/database/testing'
import { SETTINGS } from '@digger/engine/testing'
import { setAdmin } from '@digger/identity'
import readXlsxFile from 'read-excel-file/node'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readConfig } from '@digger/config'
import { createLogger } from '../src/log.ts'
import { createServer, type DiggerServer } from '../src/server.ts'
import { writeMasterKey } from './master-key-file.ts'
import { cookieOf } from './server-fixture.ts'

/** A whole server trades at the pretend broker, and so does its person with the broker's app: then both are compared. */
const CODE = '005930'
const OTHER = '000660'
const CREDENTIALS = demoCredentials(0)
const PERSON = { email: 'minji@digger.test', password: '열려라참깨1234' }
const SOON = { timeout: 60_000, interval: 50 }

const master = writeMasterKey()
let place: TestPlace
let sim: Sim
let server: DiggerServer
let app: KisRest
let cookie = ''

beforeAll(async () => {
  place = await testPlace()
  const accounts = [{ credentials: CREDENTIALS, cash: 100_000_000 }]
  // All of it on one day, whatever the hour of the run.
  const clock = { mode: 'real', speed: 20, start: kstInstant('20261120', '100000') } as const
  sim = await startSim({ port: 0, hours: 'always', clock, walk: 'off', limits: 'off', latency: 'none', accounts })
  const broker = { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl } as const
  server = await createServer({
    config: readConfig({ MASTER_KEY_FILE: master.file, PORT: '0', ...place.config }),
    broker,
    hours: 'always',
    clock: sim.clock,
    rateLimits: UNLIMITED,
    log: createLogger('fatal'),
  })
  const tokens = { load: async () => null, save: async () => undefined }
  app = createKis({ ...broker, credentials: CREDENTIALS, tokens, now: () => sim.clock.now(), limits: UNLIMITED }).rest
  await call('POST', '/api/user/user', { ...PERSON, ...CREDENTIALS })
  // An administrator may buy by hand.
  await setAdmin(server.database.db, PERSON.email, true)
  cookie = cookieOf(await call('POST', '/api/login', PERSON))
}, 120_000)
afterAll(async () => {
  await app.close()
  await server.close()
  await sim.close()
  await place[Symbol.asyncDispose]()
  master.remove()
})

const call = (method: 'GET' | 'POST', url: string, payload?: object) =>
  server.app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) })

interface TradeReply {
  readonly id: number
  readonly buying: boolean
  readonly sellDateTime: string | null
}
const trades = async (): Promise<TradeReply[]> =>
  (await call('GET', `/api/user/stock/${CODE}/trade?withOldTrade=true`)).json<TradeReply[]>()

/** Buys for about a million won at this price; resolves to the new trade. */
async function buyAt(price: number): Promise<number> {
  const before = (await trades()).length
  sim.setPrice(CODE, price)
  await vi.waitFor(async () => {
    const reply = await call('POST', `/api/user/stock/${CODE}/order/buy`, { amount: 100 })
    expect([reply.statusCode, reply.json()]).toEqual([200, { orders: [expect.anything()] }])
  }, SOON)
  await vi.waitFor(async () => {
    const all = await trades()
    expect([all.length, all.some(({ buying }) => buying)]).toEqual([before + 1, false])
  }, SOON)
  return Math.max(...(await trades()).map(({ id }) => id))
}

async function sellAt(price: number, id: number): Promise<void> {
  sim.setPrice(CODE, price)
  await vi.waitFor(async () => {
    const reply = await call('POST', `/api/user/stock/${CODE}/trade/${id}/sell/market-price`)
    expect([reply.statusCode, reply.json()]).toEqual([200, { orders: [expect.anything()] }])
  }, SOON)
  const isSold = async () => (await trades()).find((trade) => trade.id === id)?.sellDateTime ?? null
  await vi.waitFor(async () => expect(await isSold()).not.toBeNull(), SOON)
}

type Cells = readonly (readonly unknown[])[]
/**
 * The lines of the tie-out by code, without headings and sentences; the day's sum is 합계. A day is compared when it is over: the
 * file is made by the clock of tomorrow.
 */
async function tieOut(): Promise<Map<string, Record<string, unknown>>> {
  const tomorrow = sim.clock.now() + DAY_MS
  const askBroker = async (from: string, to: string) => {
    const reply = await call('GET', `/api/user/kis/profit?fromDate=${from}&toDate=${to}`)
    return BrokerProfit.parse(reply.json())
  }
  const { userId } = (await call('GET', '/api/user/user')).json<{ userId: string }>()
  const exports = new Exports(server.database.db, { now: () => tomorrow })
  const asking = { person: userId, userId }
  const { body } = await exports.year(asking, kstDay(sim.clock.now()).slice(0, 4), askBroker)
  if (!Buffer.isBuffer(body)) throw new Error('no workbook')
  const data: Cells = (await readXlsxFile(body)).find(({ sheet }) => sheet === '증권사 대조')?.data ?? []
  const [headings = [], ...rows] = data
  const lines = rows.filter((row) => typeof row[3] === 'number')
  return new Map(
    lines.map((row) => [
      typeof row[1] === 'string' ? row[1] : '합계',
      Object.fromEntries(headings.map((heading, at) => [String(heading), row[at]])),
    ]),
  )
}

test('what was traded ties out with the broker, to the won, and each difference has its name', async () => {
  sim.setBase(CODE, 70_000)
  const settings = { ...SETTINGS, autoBuy: false, autoSell: false, maxBuyPrice: null }
  await vi.waitFor(
    async () => expect((await call('POST', `/api/user/stock/${CODE}`, settings)).statusCode).toBe(200),
    SOON,
  )
  const first = await buyAt(70_000)
  const second = await buyAt(68_000)
  await sellAt(71_000, first)
  await call('POST', '/api/user/stop', { level: 'user', stop: 'halt' })
  const own = { code: OTHER, type: 'market', session: 'regular', price: 0, count: 3, venue: 'KRX' } as const
  await app.order({ ...own, side: 'buy' })
  await app.order({ ...own, side: 'sell' })

  const withOneLeft = await tieOut()
  const [ofStock, ofPerson, ofDay] = [CODE, OTHER, '합계'].map((code) => withOneLeft.get(code) ?? {})
  const same = { '산 금액 차이': 0, '판 금액 차이': 0, '수수료 차이': 0, '세금 차이': 0 }
  // The broker sold at its average of the two, and Digger the dearer one. Digger counts the fee of a buy where it is sold.
  expect(ofStock).toMatchObject({ ...same, 이유: '이동평균 단가, 날짜' })
  expect(Number(ofStock?.['실현손익 차이'])).not.toBe(0)
  expect(Number(ofStock?.['산 금액 Digger'])).toBeGreaterThan(1_900_000)
  expect(ofPerson).toMatchObject({ '판 금액 Digger': 0, 이유: '사람이 앱에서 한 매매' })
  expect(Number(ofPerson?.['판 금액 증권사'])).toBeGreaterThan(0)
  expect(String(ofDay?.['이유'])).toContain('사람이 앱에서 한 매매')

  await call('POST', '/api/user/stop', { level: 'user', stop: 'active' })
  await sellAt(72_000, second)
  // With all of it sold on the day of its buys, the two agree in everything.
  const sold = (await tieOut()).get(CODE) ?? {}
  expect(sold).toMatchObject({ ...same, '실현손익 차이': 0, 이유: '같음' })
  expect(sold['실현손익 Digger']).toBe(sold['실현손익 증권사'])
}, 240_000)
