import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { UNLIMITED } from '@digger/kis'
import { type Sim, startSim } from '@digger/kis-sim'
import { dumpTo, openDatabase } from '@digger/database'
import { SETTINGS } from '@digger/engine/testing'
import { setAdmin } from '@digger/identity'
import { readConfig } from '@digger/config'
import { createLogger } from '../../src/log.ts'
import { type DiggerServer, createServer } from '../../src/server.ts'
import { Browser } from '../browser.ts'
import { BOSS, FIRST_STOCK, MASTER_KEY, OWNER, SECOND_STOCK } from './people.ts'

/*
 * npm run keep-data -- NAME [FOLDER]: lets two people trade on this version of the program and keeps their database as
 * NAME.gz in this folder, where the upgrade test opens it for ever after, or in another.
 */

const TIMEOUT_MS = 60_000
const INTERVAL_MS = 200

/** Repeats the price until the account has so many lots: a first price may come before the stock is watched. */
async function tradeUntil(server: DiggerServer, sim: Sim, userId: string, code: string, price: number, lots: number) {
  const until = performance.now() + TIMEOUT_MS
  const count = () => server.engine.book(userId).stocks.get(code)?.lots.length ?? 0
  while (count() !== lots) {
    if (performance.now() > until) throw new Error(`${code} at ${price}: ${count()} lots instead of ${lots}`)
    sim.setPrice(code, price)
    await delay(INTERVAL_MS)
  }
}

async function live(server: DiggerServer, sim: Sim, base: string): Promise<void> {
  const [owner, boss] = [new Browser(base, OWNER), new Browser(base, BOSS)]
  for (const person of [owner, boss]) await person.signUp()
  await setAdmin(server.database.db, BOSS.email, true)
  for (const person of [boss, owner]) await person.logIn()
  await ask(boss, 'PUT', `/api/admin/8017/user/${owner.userId}/may-add`, { mayAddStocks: true })
  const settingsOf = (code: string) => {
    const price = sim.price(code)
    return { ...SETTINGS, maxBuyPrice: 2 * price, buyUnitPrice: 2 * price, lastBuyPrice: null }
  }
  for (const code of [FIRST_STOCK, SECOND_STOCK]) {
    await ask(owner, 'POST', `/api/user/stock/${code}`, settingsOf(code))
  }
  const first = sim.price(FIRST_STOCK)
  const tick = 100
  const at = (percent: number) => Math.round((first * (1 + percent / 100)) / tick) * tick
  await tradeUntil(server, sim, owner.userId, FIRST_STOCK, at(0), 1)
  await tradeUntil(server, sim, owner.userId, FIRST_STOCK, at(-1.5), 2)
  await tradeUntil(server, sim, owner.userId, FIRST_STOCK, at(0.3), 1)
  await tradeUntil(server, sim, owner.userId, SECOND_STOCK, sim.price(SECOND_STOCK), 1)
  await ask(boss, 'POST', `/api/user/stock/${FIRST_STOCK}`, { ...settingsOf(FIRST_STOCK), autoBuy: false })
  await ask(boss, 'POST', '/api/user/stop', { level: 'user', stop: 'reduce' })
  for (const path of ['/api/user/money', '/api/user/kis/balance', `/api/user/stock/${FIRST_STOCK}/trade`]) {
    await ask(owner, 'GET', path)
  }
}

async function ask(person: Browser, method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<void> {
  const { status, text } = await person.ask(method, path, body)
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
}

async function tradeADay(home: string): Promise<string> {
  const DATA_DIR = join(home, 'data')
  const MASTER_KEY_FILE = join(home, 'master')
  writeFileSync(MASTER_KEY_FILE, MASTER_KEY, { mode: 0o600 })
  const accounts = [OWNER, BOSS].map(({ appKey, appSecret, accountNumber, htsId }) => ({
    credentials: { appKey, appSecret, accountNumber, htsId },
  }))
  const sim = await startSim({ port: 0, hours: 'always', walk: 'off', limits: 'off', latency: 'none', accounts })
  const server = await createServer({
    config: readConfig({ DATA_DIR, MASTER_KEY_FILE, PORT: '0' }),
    broker: { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl },
    hours: 'always',
    clock: sim.clock,
    rateLimits: UNLIMITED,
    log: createLogger('error', process.stderr),
  })
  await live(server, sim, await server.listen())
  await server.close()
  await sim.close()
  return DATA_DIR
}

const [name, folder = import.meta.dirname] = process.argv.slice(2)
if (name === undefined || !/^[\w.-]+$/.test(name)) throw new Error('npm run keep-data -- NAME, as 0.2.0')
const home = mkdtempSync(join(tmpdir(), 'digger-kept-'))
try {
  const dataDir = await tradeADay(home)
  const database = await openDatabase({ dataDir })
  const rows = await dumpTo(database.pool, join(folder, `${name}.gz`))
  await database.close()
  process.stdout.write(`${rows} rows kept in ${join(folder, name)}.gz\n`)
} finally {
  rmSync(home, { recursive: true, force: true })
}
