import { once } from 'node:events'
import { get } from 'node:http'
import { ClusterSecret, LocalBus, LocalWire, WorkerSecret } from '@digger/cluster'
import { readConfig } from '@digger/config'
import { SETTINGS } from '@digger/engine/testing'
import { setAdmin, setMayAddStocks } from '@digger/identity'
import { demoCredentials, startSim, type Sim } from '@digger/kis-sim'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { DiggerGateway } from '../src/gateway.ts'
import { createLogger } from '../src/log.ts'
import { createServer } from '../src/server.ts'
import type { DiggerWorker } from '../src/worker.ts'
import { NO_LIMITS } from '@digger/http'
import { writeMasterKey } from './master-key-file.ts'

import { cheapPasswords, settledShards, TimedProcesses, UNLIMITED } from './timed-processes.ts'

const PEOPLE = 6
const PASSWORD = '열려라참깨1234'
const CODE = '005930'
const SOON = { timeout: 20_000, interval: 50 }

const master = writeMasterKey()
let processes: TimedProcesses
let sim: Sim
let workers: DiggerWorker[] = []
let gateway: DiggerGateway
let origin = ''
const wire = new LocalWire()
const secrets = {
  cluster: new ClusterSecret(Buffer.alloc(32, 'cluster')),
  workers: new WorkerSecret(Buffer.alloc(32, 'workers')),
}
const people: { userId: string; cookie: string }[] = []

const email = (n: number): string => `person${n}@example.com`
const parts = () => ({
  config: readConfig({
    DATA_DIR: `${master.file}.data`,
    DATABASE_URL: processes.place.url,
    MASTER_KEY_FILE: master.file,
    PORT: '0',
  }),
  log: createLogger('fatal'),
  broker: { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl } as const,
  hours: 'always' as const,
  requestLimits: NO_LIMITS,
  rateLimits: UNLIMITED,
  passwords: cheapPasswords(),
})
const call = (n: number, method: 'GET' | 'POST', url: string, payload?: object) =>
  gateway.app.inject({ method, url, headers: { cookie: people[n]?.cookie ?? '' }, ...(payload && { payload }) })

/** What the broker has been sent for them. */
const sidesOrdered = (n: number) => sim.orders(demoCredentials(n).accountNumber).map(({ side }) => side)

/** The worker that has the account. */
const ownerOf = (n: number): DiggerWorker | undefined =>
  workers.find(({ engine }) => engine.has(people[n]?.userId ?? ''))

describe('workers and a gateway', () => {
  beforeAll(async () => {
    processes = await TimedProcesses.open()
    const accounts = Array.from({ length: PEOPLE }, (_, n) => ({ credentials: demoCredentials(n), cash: 100_000_000 }))
    sim = await startSim({
      port: 0,
      hours: 'always',
      clock: { mode: 'real', speed: 1 },
      walk: 'off',
      latency: 'none',
      limits: 'off',
      accounts,
    })
    const one = await createServer(parts())
    for (const [n, { credentials }] of accounts.entries()) {
      const made = await one.app.inject({
        method: 'POST',
        url: '/api/user/user',
        payload: { email: email(n), password: PASSWORD, ...credentials },
      })
      if (made.statusCode !== 200) throw new Error(`the sign-up failed: ${made.payload}`)
    }
    // An administrator may buy by hand.
    await setAdmin(one.database.db, email(1), true)
    // The sessions are in the database: they hold at the gateway.
    for (let n = 0; n < PEOPLE; n += 1) {
      const entered = await one.app.inject({
        method: 'POST',
        url: '/api/login',
        payload: { email: email(n), password: PASSWORD },
      })
      const cookies = [entered.headers['set-cookie']].flat().map((line) => String(line).split(';')[0])
      const { userId }: { userId: string } = entered.json()
      await setMayAddStocks(one.database.db, userId, true)
      people.push({ userId, cookie: cookies.join('; ') })
    }
    await one.close()
    for (let n = 0; n < 2; n += 1) workers.push(await processes.worker(parts(), new LocalBus(wire), secrets))
    gateway = await processes.gateway(parts(), new LocalBus(wire), secrets, { lostAfterMs: 1_000 })
    origin = await gateway.listen()
  }, 120_000)
  afterAll(async () => {
    await processes.end([gateway], workers)
    await sim.close()
    master.remove()
  })

  test('each account is with one worker, and armed there', async () => {
    // What follows is about calls, not about moves: the second worker has its half by then.
    const armed = () => workers.reduce((sum, { engine }) => sum + engine.health.vitals().armed, 0)
    await settledShards(workers, () => armed() === PEOPLE)
    for (let n = 0; n < PEOPLE; n += 1)
      expect(workers.filter(({ engine }) => engine.has(people[n]?.userId ?? ''))).toHaveLength(1)
  }, 90_000)

  test('a call reaches the account wherever it is, and the reply comes as its owner made it', async () => {
    for (let n = 0; n < PEOPLE; n += 1) {
      const saved = await call(n, 'POST', `/api/user/stock/${CODE}`, { ...SETTINGS, autoBuy: false })
      expect([saved.statusCode, saved.json()]).toMatchObject([200, { code: CODE }])
      const list = await call(n, 'GET', '/api/user/stock')
      expect([list.statusCode, list.json()]).toMatchObject([200, [{ code: CODE, userId: people[n]?.userId }]])
      const etag = String(list.headers['etag'])
      const again = await gateway.app.inject({
        url: '/api/user/stock',
        headers: { cookie: people[n]?.cookie ?? '', 'if-none-match': etag },
      })
      expect([etag.length > 5, again.statusCode]).toEqual([true, 304])
    }
  })

  test('what is refused is refused as in one process, and nobody sees another’s account', async () => {
    const unknown = await call(0, 'POST', '/api/user/stock/999999', { ...SETTINGS })
    expect([unknown.statusCode, unknown.json()]).toMatchObject([404, { code: 'NOT_FOUND' }])
    const bad = await call(0, 'POST', `/api/user/stock/${CODE}`, { buyPercent: 'x' })
    expect(bad.statusCode).toBe(400)
    const other = await call(0, 'GET', `/api/${people[1]?.userId}/stock`)
    expect(other.statusCode).toBe(403)
    const stranger = await gateway.app.inject({ url: '/api/user/stock', headers: { 'x-digger-forwarded': 'guess' } })
    expect(stranger.statusCode).toBe(401)
  })

  test('a browser at the gateway hears of a change at the worker', async () => {
    const received: string[] = []
    let tries = 0
    const request = get(`${origin}/api/user/events`, { headers: { cookie: people[0]?.cookie ?? '' } })
    request.on('response', (response) => response.on('data', (data: Buffer) => received.push(data.toString())))
    await once(request, 'response')
    // The stream is there before the worker sends: what comes in between is read anew.
    await vi.waitFor(async () => {
      await call(0, 'POST', `/api/user/stock/${CODE}`, {
        ...SETTINGS,
        autoBuy: false,
        sellPercent: 1 + (tries += 1) / 10,
      })
      expect(received.join('')).toContain('event: stocks')
    }, SOON)
    request.destroy()
  })

  test('a buy that is pressed once is one order at the broker, though its answer is lost', async () => {
    const settings = { ...SETTINGS, autoBuy: false, autoSell: false, maxBuyPrice: null }
    await call(1, 'POST', `/api/user/stock/${CODE}`, settings)
    expect(sidesOrdered(1)).toEqual([])
    // A buy at the market needs a price, and its owner may have the account only just now.
    await vi.waitFor(async () => {
      const { price } = (await call(1, 'GET', `/api/user/stock/${CODE}`)).json<{ price: number | null }>()
      expect(price).toBeGreaterThan(0)
    }, SOON)
    let losses = 1
    wire.loses = (subject) => subject.startsWith('digger.call.') && subject.endsWith(' answer') && losses-- > 0
    const reply = await call(1, 'POST', `/api/user/stock/${CODE}/order/buy`, { amount: 100 })
    wire.loses = () => false
    expect([reply.statusCode, reply.json(), losses]).toEqual([
      200,
      { orders: [expect.objectContaining({ orderType: 'BUY' })] },
      -1,
    ])
    expect(sidesOrdered(1)).toEqual(['buy'])
  }, 60_000)

  test('a file is made at the gateway, and the broker asked where the account is', async () => {
    const table = await call(1, 'GET', '/api/user/export/orders')
    expect([table.statusCode, table.body.split('\r\n')]).toMatchObject([200, { length: 3 }])
    const profit = await call(1, 'GET', '/api/user/kis/profit')
    const bought = profit.json<{ days: { buyAmount: number }[] }>().days.map(({ buyAmount }) => buyAmount)
    expect([profit.statusCode, bought.length, bought.every((amount) => amount > 0)]).toEqual([200, 1, true])
    // Of a day that is over in Korea: on the first of January the year before is the one that has any.
    const year = new Date(Date.now() - 15 * 3_600_000).getUTCFullYear()
    const made = await call(1, 'GET', `/api/user/export/year/${year}`)
    expect([made.statusCode, made.rawPayload.toString('latin1', 0, 2)]).toEqual([200, 'PK'])
    expect(made.headers['content-disposition']).toContain(`digger-${year}.xlsx`)
  }, 60_000)

  test('a worker ends: the other has its accounts within seconds, and calls wait for it', async () => {
    const before = ownerOf(0)
    const rest = workers.find((worker) => worker !== before)
    const ending = before?.close()
    const reply = await call(0, 'GET', '/api/user/stock')
    expect(reply.statusCode).toBe(200)
    await ending
    workers = rest === undefined ? [] : [rest]
    await vi.waitFor(() => expect(rest?.engine.health.vitals().armed).toBe(PEOPLE), SOON)
    const saved = await call(0, 'POST', '/api/user/stop', { level: 'user', stop: 'reduce' })
    expect([saved.statusCode, saved.json()]).toMatchObject([200, { user: 'reduce' }])
  }, 60_000)
})
