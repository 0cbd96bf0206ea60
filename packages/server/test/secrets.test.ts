import { randomBytes } from 'node:crypto'
import { UNLIMITED } from '@digger/kis'
import { type Sim, startSim } from '@digger/kis-sim'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestPlace, testPlace } from '@digger/database/testing'
import { SETTINGS } from '@digger/engine/testing'
import { setAdmin, setMayAddStocks } from '@digger/identity'
import { readConfig } from '@digger/config'
import { createLogger } from '../src/log.ts'
import { type DiggerServer, createServer } from '../src/server.ts'
import { Browser } from './browser.ts'
import { leaksIn, leaksUnder } from './leaks.ts'
import { type Listener, listenTo } from './listener.ts'
import { writeMasterKey } from './master-key-file.ts'
import { goodRequest, injection, names } from './request.ts'

const CODE = '005930'
const letters = (count: number): string => randomBytes(count).toString('hex').slice(0, count)
const credentials = (mark: string, account: string) => ({
  appKey: `PS${mark}key${letters(40)}`.slice(0, 36),
  appSecret: `${mark}secret${letters(200)}`.slice(0, 180),
  accountNumber: account,
  htsId: `${mark}Hts4711`,
})
const OWNER = { ...credentials('own', '8675309142'), email: 'owner@digger.test', password: '열쇠-Pa55-owner-q7w8' }
const ADMIN = { ...credentials('adm', '7531902468'), email: 'boss@digger.test', password: '열쇠-Pa55-boss-z3x4' }
/** Never becomes a user: the broker does not know this secret. */
const REFUSED = {
  ...OWNER,
  email: 'no@digger.test',
  appSecret: 'refused'.padEnd(180, letters(36)),
  accountNumber: '97531864',
}
const NEW_PASSWORD = '새열쇠-Pa55-owner-n1m2'
const WRONG_PASSWORD = '틀린열쇠-Wr0ng-k9j8'

const master = writeMasterKey()
/** What anyone could find, and is meant to be found: shows that the search is not blind. */
const PLANTED = { planted: `planted ${letters(20)}` }
const log: string[] = [PLANTED.planted]
const secrets: Record<string, string> = {
  'master key': master.key.toString('base64'),
  'master key, raw': master.key.toString('latin1'),
  'wrong password': WRONG_PASSWORD,
  'new password': NEW_PASSWORD,
  'refused secret': REFUSED.appSecret,
  'refused account': REFUSED.accountNumber,
}
let sim: Sim
let listener: Listener
let place: TestPlace
let server: DiggerServer
let owner: Browser
let admin: Browser
let dump = ''

beforeAll(async () => {
  for (const [name, { email: _email, ...own }] of Object.entries({ OWNER, ADMIN })) {
    for (const [what, value] of Object.entries(own)) secrets[`${what} of ${name}`] = value
  }
  const accounts = [OWNER, ADMIN].map(({ appKey, appSecret, accountNumber, htsId }) => ({
    credentials: { appKey, appSecret, accountNumber, htsId },
  }))
  sim = await startSim({ port: 0, hours: 'always', walk: 'off', limits: 'off', latency: 'none', accounts })
  listener = await listenTo(sim.url)
  place = await testPlace()
  const env = { MASTER_KEY_FILE: master.file, PORT: '0', ...place.config }
  server = await createServer({
    config: readConfig(env),
    broker: { env: 'real', restUrl: listener.url, wsUrl: sim.wsUrl },
    hours: 'always',
    clock: sim.clock,
    rateLimits: UNLIMITED,
    log: createLogger('trace', { write: (line) => void log.push(line) }),
  })
  const base = await server.listen()
  owner = new Browser(base, OWNER)
  admin = new Browser(base, ADMIN)
  await live()
  for (const key of listener.handedOut) secrets[`broker's ${key.slice(0, 8)}…`] = key
  for (const token of [...owner.tokens, ...admin.tokens]) secrets[`session ${token.slice(0, 4)}…`] = token
  await server.database.pool.query('insert into server_setting values ($1, $2)', ['planted', PLANTED.planted])
  await server.close()
  dump = await place.dump()
}, 240_000)
afterAll(async () => {
  await place[Symbol.asyncDispose]()
  listener.close()
  await sim.close()
  master.remove()
})

/** Everything people do, and much that goes wrong. */
async function live(): Promise<void> {
  await owner.ask('POST', '/api/user/user', { ...REFUSED })
  for (const person of [owner, admin]) await person.signUp()
  await setAdmin(server.database.db, ADMIN.email, true)
  await owner.ask('POST', '/api/login', { email: OWNER.email, password: WRONG_PASSWORD })
  for (const person of [owner, admin]) await person.logIn()
  await setMayAddStocks(server.database.db, owner.userId, true)
  const leave = owner.watch()
  await trade()
  await stumble()
  await lookAround()
  await owner.ask('PUT', '/api/user/user', { oldPassword: WRONG_PASSWORD, newPassword: NEW_PASSWORD })
  await owner.ask('PUT', '/api/user/user', { oldPassword: OWNER.password, newPassword: NEW_PASSWORD })
  await owner.logIn(NEW_PASSWORD)
  const key = `/api/admin/8017/user/${owner.userId}/userKey`
  await admin.ask('DELETE', key)
  await admin.ask('POST', key, { email: ADMIN.email, password: WRONG_PASSWORD })
  await admin.ask('POST', key, { email: ADMIN.email, password: ADMIN.password, forceKisLogin: true })
  for (const bulk of ['login', 'balance/check', 'order/sell', 'order/cancel', 'logout']) {
    await admin.ask('POST', `/api/admin/8017/${bulk}`)
  }
  await leave()
}

async function trade(): Promise<void> {
  sim.setPrice(CODE, 156_900)
  const settings = { ...SETTINGS, maxBuyPrice: 160_000, buyUnitPrice: 400_000, lastBuyPrice: null }
  await owner.ask('POST', `/api/user/stock/${CODE}`, settings)
  await vi.waitFor(
    () => {
      sim.setPrice(CODE, 156_900)
      if (server.engine.book(owner.userId).stocks.get(CODE)?.lots.length !== 1) throw new Error('nothing bought')
    },
    { timeout: 30_000, interval: 200 },
  )
  await owner.ask('POST', `/api/user/stock/${CODE}/sell/market-price`)
}

/** Refusals, an absent broker, a broken database, and requests that carry secrets where none belong. */
async function stumble(): Promise<void> {
  const sell = () => owner.ask('POST', `/api/user/stock/${CODE}/sell/price?sellPrice=170000`)
  sim.faults.add({
    kind: 'refuse',
    code: 'APBK0918',
    text: '주문이 불가한 계좌입니다.',
    endpoint: 'orderSell',
    times: 1,
  })
  await sell()
  for (const kind of ['loseReply', 'loseRequest'] as const) {
    sim.faults.add({ kind, endpoint: 'balance', times: 4 })
    await owner.ask('GET', '/api/user/kis/balance')
  }
  sim.faults.add({ kind: 'broken', body: 'html', status: 500, times: 6 })
  await owner.ask('GET', `/api/user/stock/${CODE}/candle`)
  await admin.ask('POST', `/api/${owner.userId}/stock/${CODE}/order/buy`, { amount: 100 })
  sim.faults.clear()
  sim.expireTokens()
  await owner.ask('GET', '/api/user/kis/balance')
  sim.sockets('cut')
  const { appSecret, password, accountNumber } = OWNER
  await owner.ask('GET', `/api/login?password=${encodeURIComponent(password)}&appSecret=${appSecret}`)
  await owner.send('POST', '/api/login', `{"email":"owner@digger.test","password":"${password}`)
  await owner.ask('POST', '/api/user/user', { ...OWNER, email: 1, accountNumber: { accountNumber } })
  await owner.ask('POST', '/api/user/user', OWNER)
  await owner.ask('POST', '/api/user/stop', { level: 'user', stop: appSecret })
  await server.database.pool.query('alter table money_day rename to away')
  await owner.ask('GET', '/api/user/money')
  await server.database.pool.query('alter table away rename to money_day')
}

async function lookAround(): Promise<void> {
  for (const person of [owner, admin]) {
    for (const name of names) {
      const { method, url } = injection(name, goodRequest(name, 'user'), '')
      if (method === 'GET' && name !== 'events' && typeof url === 'string') await person.ask('GET', url)
    }
    for (const page of ['json', 'yaml', 'static/index.html']) await person.ask('GET', `/api/docs/${page}`)
    for (const path of ['/api/docs', '/api/nothing', '/nothing.js', '/', '/health', '/metrics'])
      await person.ask('GET', path)
  }
}

describe('no password, broker credential, token, session or master key', () => {
  test('is forgotten by this test', () => {
    expect(listener.handedOut.size).toBeGreaterThanOrEqual(4)
    expect(owner.tokens.length + admin.tokens.length).toBe(3)
    expect(Object.values(secrets).every((secret) => secret.length >= 8)).toBe(true)
    const bytes = Buffer.from(`a${OWNER.password}b`)
    for (const hidden of [bytes.toString('base64url'), bytes.toString('hex'), encodeURIComponent(OWNER.password)]) {
      expect(leaksIn(secrets, `xx ${hidden} yy`)).toEqual(['password of OWNER'])
    }
  })
  test('is in the files of the database', async () => {
    const folders = await place.files()
    expect(folders.flatMap((folder) => leaksUnder(PLANTED, folder)).length).toBeGreaterThan(0)
    expect(folders.flatMap((folder) => leaksUnder(secrets, folder))).toEqual([])
  })
  test('is in a dump', () => {
    expect(leaksIn(PLANTED, dump)).toEqual(['planted'])
    expect(dump).toContain(OWNER.email)
    expect(leaksIn(secrets, dump)).toEqual([])
  })
  test('is in the log', () => {
    const whole = log.join('')
    expect(leaksIn(PLANTED, whole)).toEqual(['planted'])
    expect(whole).toMatch(/account problem[\s\S]*call failed|call failed[\s\S]*account problem/)
    // Each arming is one line with the morning check.
    expect(whole).toMatch(/"morning":"key=ok notices=ok [^"]*book=ok[^"]*","msg":"armed"/)
    expect(leaksIn(secrets, whole)).toEqual([])
  })
  test('is in a reply, a page of errors, the API document, the live stream, the figures', () => {
    const replies = [...owner.replies, ...admin.replies]
    const seen = new Set(replies.map(({ status }) => status))
    expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 409, 422, 500, 502]))
    expect(replies.some(({ text }) => text.includes('openapi'))).toBe(true)
    expect(owner.streamed).toContain('event: ')
    for (const { title, text } of [...replies, { title: 'stream', text: owner.streamed }]) {
      expect([title, ...leaksIn(secrets, text)]).toEqual([title])
    }
  })
})
