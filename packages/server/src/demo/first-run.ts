import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { UNLIMITED } from '@digger/kis'
import { demoCredentials, startSim, type Sim } from '@digger/kis-sim'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import { createServer, type DiggerServer } from '../server.ts'
import { setAdmin } from '../users/users.ts'
import { historyDays, tradeHistory } from './history.ts'
import { Lockstep, type Pair } from './lockstep.ts'
import { PEOPLE, settingsOf, type DemoPerson } from './people.ts'
import { kstInstant } from '@digger/core'

/** Longer than the whole history: time moves by hand here, and so do the server's timers. */
const NEVER_MS = 365 * 86_400_000

export const simStateDir = (dataDir: string): string => join(dataDir, 'sim')
/** The embedded database's own folder below DATA_DIR. */
const DATABASE = 'database'

/** Only an empty place gets demo people, and only the embedded database: another one may be somebody's. */
export const wantsFirstRun = ({ DATA_DIR, DATABASE_URL }: Config): boolean =>
  DATABASE_URL === undefined && !existsSync(join(DATA_DIR, DATABASE))

/**
 * Fills an empty server with people, settings and some weeks of trading, all through the product's own calls and the
 * pretend broker's own wire. Time is moved by hand from four weeks ago until now.
 */
export async function firstRun(config: Config, log: FastifyBaseLogger, say: (line: string) => void): Promise<void> {
  // Made aside and moved into place when whole: a start that was cut short leaves nothing half made.
  const aside = join(config.DATA_DIR, 'first-run')
  rmSync(aside, { recursive: true, force: true })
  await makeHistory({ ...config, DATA_DIR: aside }, log, say)
  rmSync(simStateDir(config.DATA_DIR), { recursive: true, force: true })
  renameSync(simStateDir(aside), simStateDir(config.DATA_DIR))
  renameSync(join(aside, DATABASE), join(config.DATA_DIR, DATABASE))
  rmSync(aside, { recursive: true, force: true })
}

async function makeHistory(config: Config, log: FastifyBaseLogger, say: (line: string) => void): Promise<void> {
  const now = Date.now()
  const [firstDay = ''] = historyDays(now)
  const sim = await startSim({
    port: 0,
    seed: config.SIM_SEED,
    hours: 'always',
    clock: { mode: 'manual', start: kstInstant(firstDay, '080000') },
    walk: 'off',
    limits: 'off',
    latency: 'none',
    stateDir: simStateDir(config.DATA_DIR),
    questions: { pingPongMs: [NEVER_MS, NEVER_MS] },
  })
  try {
    const server = await createServer({
      config,
      log,
      broker: { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl },
      hours: 'always',
      clock: sim.clock,
      rateLimits: UNLIMITED,
      timerMs: NEVER_MS,
    })
    try {
      await fill(sim, server, now, say)
    } finally {
      await server.close()
    }
  } finally {
    await sim.close()
  }
}

async function fill(sim: Sim, server: DiggerServer, now: number, say: (line: string) => void): Promise<void> {
  const pairs: Pair[] = []
  for (const person of PEOPLE) pairs.push(await signUp(server, person))
  const lockstep = new Lockstep(sim, server.engine, pairs)
  await lockstep.settle()
  await lockstep.tick()
  const firstPrices = new Map<string, number>()
  for (const [index, person] of PEOPLE.entries()) {
    for (const one of person.stocks) {
      const price = sim.price(one.code)
      firstPrices.set(one.code, price)
      const userId = pairs[index]?.userId ?? ''
      const info = await server.engine.kis(userId).stockInfo(one.code)
      if (info === null) throw new Error(`the pretend broker does not list ${one.code}`)
      const { code, kind, market, nxt, name } = info
      await server.engine.ask(userId, {
        kind: 'updateStock',
        code,
        version: null,
        settings: settingsOf(one, price),
        listing: { issue: { code, kind, market, nxt }, name },
      })
    }
  }
  await lockstep.tick()
  await tradeHistory(sim, lockstep, firstPrices, now, (day, of) => {
    if (day % 5 === 1 || day === of) say(`  지난 거래를 만드는 중: ${of}일 가운데 ${day}일째`)
  })
  await lockstep.advanceTo(now)
}

async function signUp(server: DiggerServer, person: DemoPerson): Promise<Pair> {
  const credentials = demoCredentials(person.customer)
  const { email, password } = person
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/user/user',
    payload: { email, password, ...credentials },
  })
  if (reply.statusCode !== 200) throw new Error(`demo sign-up of ${email}: ${reply.body}`)
  if (person.admin) await setAdmin(server.database.db, email, true)
  const login = await server.app.inject({ method: 'POST', url: '/api/login', payload: { email, password } })
  if (login.statusCode !== 200) throw new Error(`demo log-in of ${email}: ${login.body}`)
  const { userId } = login.json<{ userId: string }>()
  return { userId, appKey: credentials.appKey }
}
