import { HistoryOverview, HistoryState, StockHistory } from '@digger/contract'
import { kstInstant } from '@digger/core'
import { readConfig } from '@digger/config'
import { TestClock, testPlace } from '@digger/database/testing'
import { SETTINGS } from '@digger/engine/testing'
import { setAdmin } from '@digger/identity'
import { UNLIMITED } from '@digger/kis'
import { demoCredentials, type Fault, startSim } from '@digger/kis-sim'
import { expect, test, vi } from 'vitest'
import { createLogger } from '../src/log.ts'
import { createServer } from '../src/server.ts'
import { writeMasterKey } from './master-key-file.ts'
import { cookieOf } from './server-fixture.ts'

const CODE = '373220'
const CREDENTIALS = demoCredentials(0)
const PERSON = { email: 'minji@digger.test', password: '열려라참깨1234' }

/** A whole server with one person, who has one stock; `fault`: of the broker, from the beginning. */
async function begin(place: Awaited<ReturnType<typeof testPlace>>, fault?: Fault) {
  const master = writeMasterKey()
  // After all trading of a Friday.
  const clock = { mode: 'real', start: kstInstant('20261120', '203000') } as const
  const accounts = [{ credentials: CREDENTIALS, cash: 100_000_000 }]
  // Each day of minutes is four calls.
  const assumptions = { pastMinutesBack: 14 }
  const sim = await startSim({ port: 0, clock, walk: 'off', limits: 'off', latency: 'none', accounts, assumptions })
  const wall = new TestClock()
  if (fault !== undefined) sim.faults.add(fault)
  const server = await createServer({
    config: readConfig({ MASTER_KEY_FILE: master.file, PORT: '0', ...place.config }),
    broker: { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl },
    hours: 'krx',
    clock: sim.clock,
    rateLimits: UNLIMITED,
    log: createLogger('fatal'),
    candles: { callsPerMinute: { open: Infinity, closed: Infinity }, wall },
  })
  let cookie = ''
  const call = (method: 'GET' | 'POST', url: string, payload?: object) =>
    server.app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) })
  await call('POST', '/api/user/user', { ...PERSON, ...CREDENTIALS })
  await setAdmin(server.database.db, PERSON.email, true)
  cookie = cookieOf(await call('POST', '/api/login', PERSON))
  expect((await call('POST', `/api/user/stock/${CODE}`, SETTINGS)).statusCode).toBe(200)
  const close = async (): Promise<void> => {
    await server.close()
    await sim.close()
    master.remove()
  }
  /** Until the next look for candles, which follows a stock's being added, and its days' being read. */
  const lookAgain = (): void => wall.advance(30_000)
  return { sim, call, lookAgain, close }
}

test('a whole server keeps candles of what its people have, and gives them to whoever may see the stock', async () => {
  await using place = await testPlace()
  const { call, lookAgain, close } = await begin(place)
  const overview = async () => HistoryOverview.parse((await call('GET', '/api/user/history')).json())
  const complete = { day: { isComplete: true, note: null }, minute: { isComplete: true } }
  await vi.waitFor(
    async () => {
      lookAgain()
      expect((await overview()).stocks).toMatchObject([{ code: CODE, ...complete }])
    },
    { timeout: 100_000 },
  )

  const reply = await call('GET', `/api/user/stock/${CODE}/history`)
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
  const days = StockHistory.parse(reply.json())
  expect(days).toMatchObject({ source: 'broker', isAdjusted: true, kind: 'stock', market: 'KOSPI' })
  expect(days.days[0]).toBe('20220127')
  const minutes = StockHistory.parse((await call('GET', `/api/user/stock/${CODE}/history?unit=minute`)).json())
  const minuteDays = new Set(minutes.days)
  expect([...minuteDays].at(0)).toBe('20261106')
  expect(minutes.times).toHaveLength(minuteDays.size * 380)
  expect((await call('GET', '/api/user/stock/000660/history')).statusCode).toBe(404)
  const state = HistoryState.parse((await call('GET', '/api/admin/8017/history')).json())
  expect(state).toMatchObject({ stocks: 1, daysComplete: 1, minutesComplete: 1, callsLeft: 0 })

  await close()
}, 240_000)

test('a chart that never answers keeps no server from ending', async () => {
  await using place = await testPlace()
  const { sim, lookAgain, close } = await begin(place, {
    kind: 'loseRequest',
    how: 'hang',
    endpoint: 'minuteChartPast',
  })
  await vi.waitFor(
    () => {
      lookAgain()
      expect(sim.faults.counts()).toEqual({ loseRequest: 1 })
    },
    { timeout: 60_000 },
  )
  const began = performance.now()
  await close()
  // Four seconds are waited for the chart, and five for what is on the wire where a client closes.
  expect(performance.now() - began).toBeLessThan(3_000)
}, 120_000)
