import { emptyBook, evolve, knownTimetable, kstInstant, type MorningItem } from '@digger/core'
import { readConfig } from '@digger/config'
import { TestClock, testPlace } from '@digger/database/testing'
import { SETTINGS } from '@digger/engine/testing'
import { setAdmin } from '@digger/identity'
import { UNLIMITED } from '@digger/kis'
import { demoCredentials, startSim } from '@digger/kis-sim'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../src/log.ts'
import { MorningLog } from '../src/morning-log.ts'
import { createServer } from '../src/server.ts'
import { writeMasterKey } from './master-key-file.ts'
import { cookieOf } from './server-fixture.ts'

const MINUTE = 60_000
const OPENS = kstInstant('20261120', '090000')
/** Of pino: what is red calls whoever owns it; the server has no trouble of its own. */
const INFO = 30

const item = (state: MorningItem['state']): MorningItem => ({ item: 'key', state, since: null, text: '', codes: [] })
const lines: string[] = []
const problems: string[] = []
const states = new Map<string, MorningItem['state']>()
let users: string[]
let clock: TestClock
let end: () => void

/** `none` has nothing, `manual` a stock that is traded by hand only, everybody else one that is bought and sold. */
function book(userId: string) {
  const issue = { code: '005930', kind: 'stock', market: 'KOSPI', nxt: true } as const
  const settings = { ...SETTINGS, ...(userId === 'manual' && { autoBuy: false, autoSell: false }) }
  const added = { at: 0, kind: 'stockAdded', code: '005930', name: '삼성전자', issue, settings } as const
  return userId === 'none' ? emptyBook('20261120') : evolve(emptyBook('20261120'), added)
}

const morning = (userId: string): MorningItem[] => {
  const state = states.get(userId)
  if (state === undefined) throw new Error('not here any more')
  return [item(state)]
}
const problem = (userId: string): void => void problems.push(userId)

/** From half past eight of a Friday on. */
function begin(hours: 'krx' | 'always' = 'krx', start = OPENS - 30 * MINUTE): void {
  clock = new TestClock(start)
  const log = createLogger('info', { write: (line) => void lines.push(line) })
  const timetable = () => knownTimetable(hours)
  end = new MorningLog({ clock, timetable, accounts: { book, morning }, users: () => users, log, problem }).start()
}
beforeEach(() => {
  lines.length = 0
  problems.length = 0
  states.clear()
  for (const [userId, state] of [
    ['red', 'red'],
    ['armed', 'ok'],
    ['none', 'red'],
    ['manual', 'red'],
  ] as const)
    states.set(userId, state)
  users = [...states.keys()]
})
afterEach(() => end())

const linesSince = (): unknown[] =>
  lines.splice(0).map((line) => {
    const { level, userId, morning, msg } = JSON.parse(line)
    expect(msg).toBe('the market opens')
    return [level, userId, morning]
  })

test('as the market opens a line for whoever trades something by itself, armed or not, each once a trading day', () => {
  begin()
  clock.advance(30 * MINUTE - 1)
  expect(linesSince()).toEqual([])
  clock.advance(1 * MINUTE)
  expect(linesSince()).toEqual([
    [INFO, 'red', 'key=red'],
    [INFO, 'armed', 'key=ok'],
  ])
  clock.advance(23 * 60 * MINUTE)
  expect(linesSince()).toEqual([])
  // A weekend.
  clock.advance(48 * 60 * MINUTE)
  expect(linesSince()).toEqual([])
  clock.advance(60 * MINUTE)
  expect(linesSince()).toHaveLength(2)
})

test('an account that comes here during the session is told of then; after it nobody is', () => {
  begin()
  clock.advance(60 * MINUTE)
  expect(linesSince()).toHaveLength(2)
  states.set('later', 'waiting')
  users.push('later')
  clock.advance(MINUTE)
  expect(linesSince()).toEqual([[INFO, 'later', 'key=waiting']])
  clock.advance(6 * 60 * MINUTE)
  states.set('tooLate', 'red')
  users.push('tooLate')
  clock.advance(60 * MINUTE)
  expect(linesSince()).toEqual([])
})

test('one that cannot be looked at keeps nobody else from a line', () => {
  users.unshift('gone')
  begin()
  clock.advance(31 * MINUTE)
  expect(linesSince()).toHaveLength(2)
  expect(problems).toEqual(['gone'])
})

test('on a market that is always open there is no opening', () => {
  begin('always')
  clock.advance(26 * 60 * MINUTE)
  expect(linesSince()).toEqual([])
})

test('a whole server does so, though its broker answers nobody', async () => {
  end = () => undefined
  await using place = await testPlace()
  const master = writeMasterKey()
  const credentials = demoCredentials(0)
  const time = { mode: 'manual', start: OPENS - MINUTE } as const
  const accounts = [{ credentials, cash: 100_000_000 }]
  const sim = await startSim({ port: 0, hours: 'krx', clock: time, limits: 'off', latency: 'none', accounts })
  const server = await createServer({
    config: readConfig({ MASTER_KEY_FILE: master.file, PORT: '0', ...place.config }),
    broker: { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl },
    hours: 'krx',
    clock: sim.clock,
    rateLimits: UNLIMITED,
    log: createLogger('info', { write: (line) => void lines.push(line) }),
  })
  const person = { email: 'minji@digger.test', password: '열려라참깨1234' }
  let cookie = ''
  const call = (url: string, payload: object) =>
    server.app.inject({ method: 'POST', url, headers: { cookie }, payload })
  await call('/api/user/user', { ...person, ...credentials })
  await setAdmin(server.database.db, person.email, true)
  cookie = cookieOf(await call('/api/login', person))
  expect((await call('/api/user/stock/005930', SETTINGS)).statusCode).toBe(200)
  sim.faults.add({ kind: 'code', code: 'EGW00203' })
  await sim.clock.advance(MINUTE - 1)
  expect(lines.filter((line) => line.includes('the market opens'))).toEqual([])
  await sim.clock.advance(MINUTE)
  const opened = lines.filter((line) => line.includes('the market opens'))
  expect(opened.map((line) => JSON.parse(line))).toMatchObject([
    { level: INFO, morning: expect.stringMatching(/=red/) },
  ])
  await server.close()
  await sim.close()
  master.remove()
}, 60_000)
