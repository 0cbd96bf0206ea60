/**
 * A process of the product for cells that measure several: `node member.ts all|worker|gateway`, with the server's environment.
 * It has no user's key: which accounts get their broker is ordered by whoever started it.
 */
import { readWorkerSecrets, ClusterSecret, natsPlaceOf } from '@digger/cluster'
import { NatsBus } from '@digger/cluster/nats'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { realClock } from '@digger/database'
import type { Engine } from '@digger/engine'
import { UNLIMITED } from '@digger/kis'
import { readConfig } from '@digger/config'
import { createGateway, createLogger, createServer, createWorker, NO_LIMITS } from '@digger/server'
import type { MemberOrder, MemberReport } from './member-process.ts'
import { credentialsOf, pause } from './traders.ts'

const [role = ''] = process.argv.slice(2)
/** Between two looks at what is not there yet, ms. */
const LOOK_MS = 50

/** How late the turns of this process are, from when that is asked for: to look each ms costs an idle process three hundredths of a core. */
const delays = monitorEventLoopDelay({ resolution: 1 })

const config = readConfig(process.env)
const parts = {
  config,
  log: createLogger(config.LOG_LEVEL),
  broker: { env: 'real', restUrl: config.KIS_REST_URL ?? '', wsUrl: config.KIS_WS_URL ?? '' },
  hours: 'always',
  clock: realClock,
  requestLimits: NO_LIMITS,
  // The software is measured, not the pause the broker asks for between two calls.
  rateLimits: UNLIMITED,
} as const

/** The accounts of this process, if it has any, and where browsers reach it. */
async function start(): Promise<{ readonly engine: Engine | null; readonly origin: string }> {
  if (role === 'all') {
    const server = await createServer(parts)
    return { engine: server.engine, origin: await server.listen() }
  }
  const { NATS_URL = '', CLUSTER_SECRET_FILE = '', WORKER_SECRET_FILE = '' } = config
  const bus = await NatsBus.open(natsPlaceOf(NATS_URL), role)
  if (role === 'gateway') {
    const gateway = await createGateway(parts, bus, ClusterSecret.read(CLUSTER_SECRET_FILE))
    return { engine: null, origin: await gateway.listen() }
  }
  const { engine } = await createWorker(parts, bus, readWorkerSecrets(CLUSTER_SECRET_FILE, WORKER_SECRET_FILE))
  return { engine, origin: '' }
}

/** Gives those of the users' accounts that are here their broker; resolves when each has registered this many stocks. */
async function unlock(engine: Engine, users: readonly string[], { stocks, first }: { stocks: number; first: number }) {
  const here = users.flatMap((userId, number) => (engine.has(userId) ? [{ userId, number: first + number }] : []))
  for (const { userId, number } of here) await engine.unlock(userId, credentialsOf(number))
  const isReady = (): boolean =>
    engine.health.armed.armed >= here.length &&
    here.every(({ userId }) => engine.socket(userId).stocks.length === stocks)
  while (!isReady()) {
    engine.activity.tick()
    await pause(LOOK_MS)
  }
  await engine.activity.idle()
}

async function carryOut(engine: Engine | null, order: MemberOrder): Promise<MemberReport> {
  if (order.kind === 'unlock' && engine !== null) await unlock(engine, order.users, order)
  if (order.kind === 'turns') delays.enable()
  if (order.kind === 'idle') await engine?.activity.idle()
  const { user, system } = process.cpuUsage()
  const has = 'users' in order ? order.users.filter((userId) => engine?.has(userId) === true) : []
  const frames = has.reduce((sum, userId) => sum + (engine?.activity.frames(userId) ?? 0), 0)
  const turnP99 = delays.percentile(99) / 1e6
  delays.reset()
  return { cpu: user + system, has, frames, origin, turnP99 }
}

// Whoever started it is gone.
process.on('disconnect', () => process.exit(0))
const { engine, origin } = await start()
process.on('message', (order: MemberOrder) => {
  void carryOut(engine, order).then((report) => process.send?.(report))
})
process.send?.({ cpu: 0, has: [], frames: 0, origin, turnP99: 0 } satisfies MemberReport)
