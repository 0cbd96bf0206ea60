/**
 * `npm run stampede -- [--users 30] [--stocks 40] [--rate 18] [--postgres]`: the whole market falls three percent in a minute, everybody's
 * ladders want to buy, and the pretend broker keeps to its limits: `rate` calls a second, the ledger one. Says how long
 * due orders waited and how old fills were when booked. Real time, some four minutes. With `--postgres` the books lie in a
 * PostgreSQL of this machine instead of the embedded one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { floorToTick, type Settings } from '@digger/core'
import { demoCredentials } from '@digger/kis-sim'
import { findPostgres, startPostgres } from '@digger/database/testing'
import { verifyAccount } from '@digger/engine'
import { SETTINGS } from '@digger/engine/testing'
import { readConfig, createLogger, createServer } from '@digger/server'
import { type LoggedIn, signUp } from '@digger/app'
import { BrokerControl } from '../crash/broker-control.ts'
import { startMarket } from './market-process.ts'
import { agesOf, ordersOf, spread, waitsOf } from './measure.ts'

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '30' },
    stocks: { type: 'string', default: '40' },
    rate: { type: 'string', default: '18' },
    postgres: { type: 'boolean', default: false },
  },
})
const [users, stocks, rate] = [Number(values.users), Number(values.stocks), Number(values.rate)]
const FALL_MS = 60_000
/** The run goes on so long after the last price, for what is due by then. */
const TAIL_MS = 45_000
const ARM_TIMEOUT_MS = 180_000
/** No due order waits longer than this where the broker takes ten orders a second; where it takes three, none longer than it takes to send all. */
const MAX_WAIT_MS = 30_000
const MAX_BOOKING_MS = 5_000
/** The part of the broker's calls a second that may be used steadily: it counts in a distributed way, and refused 15 of 18. */
const STEADY_SHARE = 15 / 18
/** Between two changes of a person, ms: a little more than the server's limit asks for. */
const CHANGE_INTERVAL_MS = 120

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const market = await startMarket(users, stocks, rate)
const { url, wsUrl, listingMs, listings } = market.address
const broker = new BrokerControl(url)
const dataDir = mkdtempSync(join(tmpdir(), 'digger-stampede-'))
const logged = new Map<string, number>()
const postgres = values.postgres ? await startPostgres(findPostgres() ?? 'no PostgreSQL on this machine') : null
const server = await createServer({
  config: readConfig({ DATA_DIR: dataDir, DATABASE_URL: postgres?.url }),
  log: createLogger('warn', { write: note }),
  broker: { env: 'real', restUrl: url, wsUrl },
  hours: 'always',
})

function note(line: string): void {
  const { msg, err }: { msg?: string; err?: { message?: string } } = JSON.parse(line)
  const message = `${msg}: ${err?.message ?? ''}`
  logged.set(message, (logged.get(message) ?? 0) + 1)
}

/** One share at each percent down, from half a percent under where the market stands. */
const settingsOf = (code: string): Settings => {
  const base = listings.find((one) => one.code === code)?.base ?? 0
  const maxBuyPrice = floorToTick(Math.round(base * 0.995), 'stock')
  return { ...SETTINGS, maxBuyPrice, maxBuyAmount: 100_000_000, buyUnitPrice: 1, lastBuyPrice: null, buyPercent: -1 }
}

const joined: LoggedIn[] = []
for (let n = 0; n < users; n += 1) {
  const who = { email: `fall${n}@example.com`, password: `stampede-of-${n}`, credentials: demoCredentials(n) }
  joined.push(await signUp(server, who))
}
const people = await Promise.all(
  joined.map(async (person, n) => {
    for (const { code } of listings) {
      await person.call('POST', `/api/user/stock/${code}`, settingsOf(code))
      await delay(CHANGE_INTERVAL_MS)
    }
    return { ...person, account: demoCredentials(n).accountNumber }
  }),
)
print(`${users} users with ${stocks} stocks each, ${rate} calls a second, ledger one`)

const watching = (): boolean =>
  people.every(({ userId }) => server.engine.socket(userId).stocks.length >= Math.min(40, stocks))
const since = performance.now()
while (server.engine.health.vitals().armed < users || !watching()) {
  if (performance.now() - since > ARM_TIMEOUT_MS) throw new Error('not everybody was armed and watching in time')
  await delay(500)
}
// The morning's prices and limits are asked for one by one.
await delay((stocks / Math.min(rate, 10)) * 1_000 + 5_000)
market.fall()
let peak = 0
let unwell = new Set<string>()
for (const end = Date.now() + FALL_MS + TAIL_MS; Date.now() < end; await delay(500)) {
  const { brokerQueuePeak, troubles } = server.engine.health.vitals()
  peak = Math.max(peak, brokerQueuePeak)
  unwell = new Set([...unwell, ...troubles.map(({ code }) => code)])
}
const { path, traffic } = await market.result()

const problems: string[] = []
const waited: number[] = []
const ages: number[] = []
for (const { userId, account } of people) {
  const events = await broker.events(account)
  const waits = waitsOf(events, path, settingsOf)
  waited.push(...waits.waited)
  problems.push(...waits.unmet.map((what) => `${userId}: due and never sent: ${what}`))
  ages.push(...(await agesOf(server.database.db, userId, events, listingMs)))
  problems.push(...(await verifyAccount(server.database.db, userId)).differences)
}
const { cashQuestions, listsRead } = server.engine.health.vitals()
// Everybody's stocks fall alike, so all orders of a step are due together: the last of them waits for all before it.
const together = (stocks / Math.min(rate, 10)) * 1_000
const { ended, most } = await ordersOf(server.database.db)
// One account's orders, sales that rest among them, at our own pace and beside the ledger's call a second.
const allowed = (most / (Math.min(rate * STEADY_SHARE, 10) - 1)) * 1_000
const bound = Math.max(MAX_WAIT_MS, allowed)
print(
  `due orders      ${waited.length}, waited ${spread(waited)} (median / p99 / longest); one step alone takes ${(together / 1_000).toFixed(1)} s to send`,
)
print(`orders          ${ended}; one account ${most}, for which our pace needs ${(allowed / 1_000).toFixed(0)} s`)
print(
  `fills           ${ages.length}, booked ${spread(ages)} after the broker's list showed them (${listingMs / 1_000} s after the order)`,
)
print(`broker          queue of one account at most ${peak}, cash queries ${cashQuestions}, lists read ${listsRead}`)
print(
  `gateway         ${traffic.admitted} calls let in, ${traffic.tooMany} refused for calls a second, ${traffic.ledgerBusy} for the ledger's`,
)
print(`troubles shown  ${[...unwell].join(', ') || 'none'}`)
for (const [message, count] of logged) print(`log             ${count} × ${message}`)
if (waited.length === 0 || ages.length === 0 || cashQuestions === 0)
  problems.push('nothing was due: this proves nothing')
const late = waited.filter((ms) => ms > bound).length
if (late > 0) problems.push(`${late} orders waited longer than ${bound / 1_000} s`)
const old = ages.filter((ms) => ms > MAX_BOOKING_MS).length
if (old > 0) problems.push(`${old} fills were booked after more than ${MAX_BOOKING_MS / 1_000} s`)
for (const problem of problems.slice(0, 20)) print(`PROBLEM ${problem}`)
print(problems.length === 0 ? 'every due order out, every fill booked in time' : `${problems.length} problems`)
await server.close()
await postgres?.[Symbol.asyncDispose]()
await market.close()
rmSync(dataDir, { recursive: true, force: true })
process.exitCode = problems.length === 0 ? 0 : 1
