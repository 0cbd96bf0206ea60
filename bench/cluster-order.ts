import { deepStrictEqual } from 'node:assert/strict'
import type { Bus } from '@digger/cluster'
import { openDatabase, realClock, type Database } from '@digger/database'
import type { PostgresServer } from '@digger/database/testing'
import type { Engine } from '@digger/engine'
import { UNLIMITED } from '@digger/kis'
import { readConfig } from '@digger/config'
import { createLogger, createServer, createWorker } from '@digger/server'
import { newSecrets } from '@digger/server/testing'
import { startBroker, type BenchBroker } from './broker.ts'
import { median, printFigure, ratios, roundsOf } from './measure.ts'
import { addUsers } from './postgres.ts'
import { armTraders, MAX_BUY, pause, STOCKS } from './traders.ts'

/** So many rounds count, each with a user of its own; one more goes before them to warm up. */
const ROUNDS = roundsOf(12)
const QUIET_MS = 2
type Role = 'all' | 'worker'
const ROLES: readonly Role[] = ['all', 'worker']
const codeOf = (role: Role, user: number, stock: number): string =>
  String((role === 'all' ? 100_000 : 500_000) + user * 100 + stock)

interface Trading {
  readonly engine: Engine
  readonly database: Database
  close(): Promise<void>
}

/** Statements and sessions that somebody asked this database's pool for. */
function countAsked({ pool }: Database): () => number {
  let asked = 0
  for (const name of ['query', 'connect'] as const) {
    const original: (...parts: unknown[]) => unknown = Reflect.get(pool, name).bind(pool)
    Reflect.set(pool, name, (...parts: unknown[]) => {
      asked += 1
      return original(...parts)
    })
  }
  return () => asked
}

async function userIdsIn(databaseUrl: string): Promise<string[]> {
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  const userIds = await addUsers(database, ROUNDS + 1)
  await database.close()
  return userIds
}

async function start(role: Role, databaseUrl: string, { bus, broker }: { bus: Bus; broker: BenchBroker }) {
  const userIds = await userIdsIn(databaseUrl)
  const parts = {
    config: readConfig({ DATABASE_URL: databaseUrl, PORT: '0' }),
    log: createLogger('fatal'),
    broker: { env: 'real', restUrl: broker.url, wsUrl: broker.wsUrl } as const,
    hours: 'always' as const,
    clock: realClock,
    // The software is measured, not the pause the broker asks for between two calls.
    rateLimits: UNLIMITED,
  }
  const trading: Trading = role === 'all' ? await createServer(parts) : await createWorker(parts, bus, newSecrets())
  const first = role === 'all' ? 0 : 1_000
  await armTraders(trading.engine, userIds, { first, codeOf: (user, stock) => codeOf(role, user, stock) })
  return trading
}

/** C3: from a price on the socket to the order on the wire, a worker among others against the one process; tick about. */
export async function benchOrderPath(postgres: PostgresServer, bus: Bus): Promise<void> {
  const broker = await startBroker()
  const sides = {
    all: await start('all', await postgres.newDatabase(), { bus, broker }),
    worker: await start('worker', await postgres.newDatabase(), { bus, broker }),
  }
  const asked = { all: countAsked(sides.all.database), worker: countAsked(sides.worker.database) }
  const p50: Record<Role, number[]> = { all: [], worker: [] }
  const statements: Record<Role, number[]> = { all: [], worker: [] }
  for (let user = 0; user <= ROUNDS; user += 1) {
    const round: Record<Role, number[]> = { all: [], worker: [] }
    for (let stock = 0; stock < STOCKS; stock += 1)
      for (const role of stock % 2 === 0 ? ROLES : ROLES.toReversed()) {
        const { engine } = sides[role]
        const code = codeOf(role, user, stock)
        // The first trade re-bases; the second, near the trigger, makes the server ask what cash allows: once for the account.
        await broker.tick({ code, price: MAX_BUY + 5_000, wait: 'nothing' })
        await broker.tick({ code, price: MAX_BUY + 100, wait: stock === 0 ? 'cashQuery' : 'nothing' })
        await engine.activity.idle()
        await pause(QUIET_MS)
        const before = asked[role]()
        round[role].push(await broker.tick({ code, price: MAX_BUY - 100, wait: 'order' }))
        if (user > 0) statements[role].push(asked[role]() - before)
        await engine.activity.idle()
      }
    if (user > 0) for (const role of ROLES) p50[role].push(median(round[role]))
  }
  for (const role of ROLES) {
    const { rows } = await sides[role].database.pool.query<{ n: number }>(
      `select count(*)::int as n from account_order where status = 'open'`,
    )
    deepStrictEqual(rows[0]?.n, (ROUNDS + 1) * STOCKS)
  }
  printFigure('C3 order path p50, a worker / the one process, postgres', ratios(p50.worker, p50.all), '≤ 1.05')
  const each = (role: Role) => median(statements[role])
  printFigure(
    'C3 statements before an order leaves, a worker less the one process',
    [each('worker') - each('all')],
    '≤ 0',
  )
  const ms = (role: Role) => (median(p50[role]) / 1_000).toFixed(3)
  console.log(
    `    p50 ms: one process ${ms('all')}, worker ${ms('worker')}; statements ${each('all')} and ${each('worker')} (most ${Math.max(...statements.all)} and ${Math.max(...statements.worker)})`,
  )
  for (const role of ROLES) await sides[role].close()
  await broker.close()
}
