import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { evolve, type Fact, type Order } from '@digger/core'
import { changesOf, loadOrCreate, verifyAccount, writeChanges } from '@digger/storage'
import { SETTINGS } from '@digger/engine/testing'
import { setAdmin } from '@digger/identity'
import { UNLIMITED } from '@digger/kis'
import { demoCredentials, type Sim, startSim } from '@digger/kis-sim'
import { readConfig } from '@digger/config'
import { createLogger, createServer, type DiggerServer } from '@digger/server'
import { Browser } from '@digger/server/testing'

const CODES = ['005930', '000660'] as const
const TIMEOUT_MS = 20_000
const INTERVAL_MS = 20
const NOW = Date.UTC(2026, 0, 5, 1)

/** Two people use a whole server on an empty database for some seconds, and commits of accounts are refused. */
export async function runProduct(url: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'digger-model-'))
  const people = [0, 1].map((n) => ({
    ...demoCredentials(n),
    email: `${n}@digger.test`,
    password: `the ${n}th of people`,
  }))
  const accounts = people.map((_, n) => ({ credentials: demoCredentials(n) }))
  const sim = await startSim({ port: 0, hours: 'always', walk: 'off', limits: 'off', latency: 'none', accounts })
  const key = join(home, 'master')
  writeFileSync(key, Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('base64'), { mode: 0o600 })
  const server = await createServer({
    config: readConfig({ DATA_DIR: home, MASTER_KEY_FILE: key, PORT: '0', DATABASE_URL: url }),
    broker: { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl },
    hours: 'always',
    clock: sim.clock,
    rateLimits: UNLIMITED,
    log: createLogger('fatal', process.stderr),
  })
  try {
    await use(server, sim, await server.listen(), people)
    await commitRefused(server)
  } finally {
    await server.close()
    await sim.close()
    rmSync(home, { recursive: true, force: true })
  }
}

type Person = ConstructorParameters<typeof Browser>[1]

async function use(server: DiggerServer, sim: Sim, base: string, people: readonly Person[]): Promise<void> {
  const browsers = people.map((person) => new Browser(base, person))
  for (const browser of browsers) await browser.signUp()
  const [owner, boss] = browsers
  if (owner === undefined || boss === undefined) throw new Error('two people')
  await setAdmin(server.database.db, '1@digger.test', true)
  await server.database.pool.query('update users set may_add_stocks = true')
  for (const browser of browsers) await browser.logIn()
  await owner.ask('POST', '/api/login', { email: '0@digger.test', password: 'another word altogether' })
  for (const code of CODES) {
    const price = 2 * sim.price(code)
    const settings = { ...SETTINGS, maxBuyPrice: price, buyUnitPrice: price, lastBuyPrice: null }
    await owner.ask('POST', `/api/user/stock/${code}`, settings)
    await boss.ask('POST', `/api/user/stock/${code}`, { ...settings, autoBuy: false })
  }
  const first = sim.price(CODES[0])
  for (const [percent, lots] of [
    [0, 1],
    [-1.5, 2],
    [0.3, 1],
  ] as const)
    await tradeUntil(server, sim, owner.userId, Math.round((first * (1 + percent / 100)) / 100) * 100, lots)
  for (const [method, path, body] of ASKED) await owner.ask(method, path, body)
  for (const [method, path, body] of ASKED_BY_THE_BOSS) await boss.ask(method, path.replace('USER', owner.userId), body)
  await owner.ask('DELETE', '/api/login')
}

const ADMIN = '/api/admin/8017'
type Asked = readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object]
const ASKED: readonly Asked[] = [
  ['GET', '/api/user/user'],
  ['GET', '/api/user/money'],
  ['POST', '/api/user/money/bank-balance', { bankBalance: 1_000_000 }],
  ['GET', '/api/user/balance/gain'],
  ['GET', '/api/user/stock/005930/trade'],
  ['GET', '/api/user/kis/ordered'],
  ['POST', '/api/user/kis/ordered', {}],
  ['GET', '/api/user/kis/order'],
  ['GET', '/api/user/kis/balance'],
  ['GET', '/api/user/audit'],
  ['POST', '/api/user/stop', { level: 'user', stop: 'reduce' }],
  ['DELETE', '/api/user/stock/000660'],
  ['PUT', '/api/user/user', { password: 'the 0th of people', newPassword: 'the new word of person 0' }],
]
const ASKED_BY_THE_BOSS: readonly Asked[] = [
  ['GET', `${ADMIN}/user`],
  ['GET', `${ADMIN}/user/USER`],
  ['GET', `${ADMIN}/user/USER/ordered`],
  ['GET', `${ADMIN}/user/USER/gain`],
  ['GET', `${ADMIN}/user/USER/money`],
  ['POST', `${ADMIN}/user/USER/userKey`, {}],
  ['DELETE', `${ADMIN}/user/USER/userKey`],
  ['POST', '/api/user/stop', { level: 'server', stop: 'halt' }],
  ['POST', '/api/user/stop', { level: 'server', stop: 'active' }],
]

/** Repeats the price until the account has so many lots: a first price may come before the stock is watched. */
async function tradeUntil(server: DiggerServer, sim: Sim, userId: string, price: number, lots: number): Promise<void> {
  const until = performance.now() + TIMEOUT_MS
  while (server.engine.book(userId).stocks.get(CODES[0])?.lots.length !== lots) {
    if (performance.now() > until) throw new Error(`not ${lots} lots at ${price}`)
    sim.setPrice(CODES[0], price)
    await delay(INTERVAL_MS)
  }
}

/** What the tables refuse, whatever the program believes. */
async function commitRefused({ database }: DiggerServer): Promise<void> {
  const { db, pool } = database
  const userId = 'refusedaaaaaaaaaa'
  const row = { password_hash: 'x', account_masked: '****1234', account_mark: Buffer.from('mark'), created_at: NOW }
  await db
    .insertInto('users')
    .values({ id: userId, email: 'refused@digger.test', ...row, digger_admin: false, bank_balance: 0 })
    .execute()
  const { book, seq, epoch } = await loadOrCreate(database, userId, NOW)
  const issue = { code: CODES[0], kind: 'stock', market: 'KOSPI', nxt: true } as const
  const added: Fact = {
    kind: 'stockAdded',
    at: NOW,
    code: CODES[0],
    name: '삼성전자',
    issue,
    settings: { ...SETTINGS, lastBuyPrice: null },
  }
  const facts = [added, intended(1), { kind: 'orderAccepted', at: NOW, orderId: 1, odno: '7', orgno: '1' } as const]
  const after = facts.reduce(evolve, book)
  await writeChanges(pool, [changesOf(userId, { seq, epoch }, facts, after)])
  const known = seq + facts.length
  const refused = async (since: number, ...more: readonly Fact[]): Promise<void> => {
    await writeChanges(pool, [changesOf(userId, { seq: since, epoch }, more, more.reduce(evolve, after))]).catch(
      () => undefined,
    )
  }
  await refused(known, intended(2))
  await refused(known - 1, { kind: 'userStopped', at: NOW, stop: 'halt' })
  await refused(known, intended(3, CODES[1]), { kind: 'orderAccepted', at: NOW, orderId: 3, odno: '7', orgno: '1' })
  for (const text of ['update journal set at = 1', 'delete from audit', 'truncate journal'])
    await pool.query(text).catch(() => undefined)
  await verifyAccount(db, userId)
}

const intended = (id: number, code: string = CODES[0]): Fact => ({
  kind: 'orderIntended',
  at: NOW,
  order: order(id, code),
})

const order = (id: number, code: string): Order => ({
  id,
  code,
  side: 'buy',
  origin: 'auto',
  type: 'limit',
  price: 70_000,
  count: 2,
  venue: 'KRX',
  session: 'regular',
  lots: [{ lotId: id, count: 2 }],
  status: 'intended',
  day: '20260105',
  odno: null,
  orgno: null,
  filledCount: 0,
  filledAmount: 0,
  reservedPrice: 70_000,
  createdAt: NOW,
  updatedAt: NOW,
  why: 'test',
  note: null,
  absentFrom: null,
  cancelAsked: false,
  cancelWanted: false,
})
