import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { kstInstant } from '@digger/core'
import { UNLIMITED } from '@digger/kis'
import { demoCredentials, startSim, type Sim, Lockstep, OneByOne } from '@digger/kis-sim'
import type { Config } from '@digger/config'
import { type DiggerServer, createServer } from '@digger/server'
import { HISTORY_DAYS, historyDays, tradeHistory } from './history.ts'
import { PEOPLE, settingsOf } from './people.ts'
import type { Start } from './start.ts'
import { problemsOfIdleRun, workDone } from './work-done.ts'
import { setMayAddStocks } from '@digger/identity'
import { NEVER_MS, NO_IDLE_TIMEOUT, signUp, type LoggedIn } from './sign-up.ts'

export const simStateDir = (dataDir: string): string => join(dataDir, 'sim')
/** The embedded database's own folder below DATA_DIR. */
const DATABASE = 'database'

/** Only an empty place gets demo people, and only the embedded database: another one may be somebody's. */
export const wantsFirstRun = ({ DATA_DIR, DATABASE_URL }: Config): boolean =>
  DATABASE_URL === undefined && !existsSync(join(DATA_DIR, DATABASE))

type FirstRun = Pick<Start, 'config' | 'log' | 'print' | 'days' | 'passwords'>

/**
 * Fills an empty server with people, settings and some weeks of trading, all through the product's own calls and the
 * pretend broker's own wire. Time is moved by hand from `days` weekdays ago, four weeks unless said, until now.
 */
export async function firstRun(start: FirstRun): Promise<void> {
  const { config } = start
  // Made aside and moved into place when whole: a start that was cut short leaves nothing half made.
  const aside = join(config.DATA_DIR, 'first-run')
  rmSync(aside, { recursive: true, force: true })
  await makeHistory({ ...start, config: { ...config, DATA_DIR: aside } })
  rmSync(simStateDir(config.DATA_DIR), { recursive: true, force: true })
  renameSync(simStateDir(aside), simStateDir(config.DATA_DIR))
  renameSync(join(aside, DATABASE), join(config.DATA_DIR, DATABASE))
  rmSync(aside, { recursive: true, force: true })
}

async function makeHistory({ config, log, print, days: count = HISTORY_DAYS, passwords }: FirstRun): Promise<void> {
  const now = Date.now()
  const days = historyDays(now, count)
  const [firstDay = ''] = days
  const calls = new OneByOne()
  const sim = await startSim({
    port: 0,
    seed: config.SIM_SEED,
    hours: 'always',
    clock: { mode: 'manual', start: kstInstant(firstDay, '080000') },
    walk: 'off',
    limits: 'off',
    latency: 'none',
    stateDir: simStateDir(config.DATA_DIR),
    assumptions: { pingPongMs: [NEVER_MS, NEVER_MS] },
    pace: calls,
  })
  try {
    const server = await createServer({
      config,
      log,
      broker: { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl },
      hours: 'always',
      clock: sim.clock,
      rateLimits: UNLIMITED,
      socketTimes: NO_IDLE_TIMEOUT,
      timerMs: NEVER_MS,
      passwords,
    })
    try {
      await fill(sim, server, calls, { days, now }, print)
    } finally {
      calls.end()
      await server.close()
    }
  } finally {
    await sim.close()
  }
}

async function fill(
  sim: Sim,
  server: DiggerServer,
  calls: OneByOne,
  { days, now }: { readonly days: readonly string[]; readonly now: number },
  print: (line: string) => void,
): Promise<void> {
  const people: LoggedIn[] = []
  for (const { customer, ...person } of PEOPLE) {
    people.push(await signUp(server, { ...person, credentials: demoCredentials(customer) }))
  }
  const lockstep = new Lockstep(sim, server.engine.activity, people, calls)
  await lockstep.tick()
  const firstPrices = new Map<string, number>()
  for (const [index, { stocks }] of PEOPLE.entries()) {
    for (const one of stocks) {
      const price = sim.price(one.code)
      firstPrices.set(one.code, price)
      await people[index]?.call('POST', `/api/user/stock/${one.code}`, settingsOf(one, price))
    }
  }
  // From here on it is as with people who sign up themselves.
  for (const { userId } of people) await setMayAddStocks(server.database.db, userId, false)
  await lockstep.watching(people.map((_, index) => PEOPLE[index]?.stocks.length ?? 0))
  await lockstep.tick()
  await tradeHistory(sim, lockstep, firstPrices, days, (day, of) => {
    if (day % 5 === 1 || day === of) print(`  지난 거래를 만드는 중: ${of}일 가운데 ${day}일째`)
  })
  await lockstep.advanceTo(now)
  const problems = problemsOfIdleRun(sim, server.engine, PEOPLE.length)
  if (problems.length > 0) throw new Error(`the first run did not trade: ${problems.join('; ')}`)
  const { orders, fills } = workDone(sim)
  print(`  지난 거래: 주문 ${orders}건, 체결 ${fills}건`)
}
