import { CLUSTER_METRICS, type ClusterProbe } from '@digger/cluster'
import { Refused } from '@digger/contract'
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { STOCK_STOPS } from '@digger/core'
import type { Vitals } from '@digger/engine'
import type { Services } from '../services.ts'
import { countSockets } from './health.ts'
import { mayInspect } from './inspect.ts'
import type { ResponseCache } from '@digger/http'

/** Less than Prometheus waits for an answer. */
const DATABASE_TIMEOUT_MS = 2_000
const SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

/** GET /metrics for Prometheus: from this machine, or by an administrator. */
export function bindMetrics(app: FastifyInstance, services: Services, responseCache: ResponseCache): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'digger_http_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })
  const repeated: Counter = new Counter({
    name: 'digger_http_repeated',
    help: 'Replies sent from the response cache; digger_http_seconds counts them too.',
    registers: [registry],
    collect: () => {
      repeated.reset()
      repeated.inc(responseCache.hits)
    },
  })
  gauge(registry, 'digger_streams', 'Open live streams.', () => services.live.streams)
  bindVitals(registry, services)
  bindSockets(registry, services)
  bindNotifications(registry, services)
  if (services.cluster !== undefined) bindCluster(registry, services.cluster)
  bindBackup(registry, services)
  const { pool } = services.database
  gauge(registry, 'digger_database_waiting', 'Queries waiting for a connection.', () => pool.waitingCount)
  const known = new Map<string, Histogram.Internal<string>>()
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'none'
    const status = String(reply.statusCode)
    const key = `${method} ${route} ${status}`
    // Finding the line of these labels costs more than counting on it.
    let line = known.get(key)
    if (!line) known.set(key, (line = seconds.labels({ method, route, status })))
    line.observe(reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!(await mayInspect(services, request)))
      throw new Refused('FORBIDDEN', '권한이 없습니다. 이 컴퓨터에서 열거나 관리자로 로그인해 주세요.')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  app.addHook('onClose', async () => registry.clear())
}

const VITALS: readonly (readonly [name: string, help: string, of: (vitals: Vitals) => number])[] = [
  ['keys_open', 'Accounts whose key is open.', (v) => v.opened],
  ['accounts_authorised', 'Accounts that may use their broker.', (v) => v.authorised],
  ['accounts_armed', 'Accounts whose book was compared with the broker: they trade by themselves.', (v) => v.armed],
  ['mailbox', 'Events that wait in the mailboxes of accounts.', (v) => v.mailbox],
  ['mailbox_age_ms', 'Longest time an event has been in hand.', (v) => v.mailboxAge],
  ['undecided', 'Events that could not be decided, each since the last good one of its kind.', (v) => v.undecided],
  ['broker_queue', 'Broker calls that wait for their turn.', (v) => v.brokerQueue],
  ['broker_queue_peak', 'The most that waited for one account since the last look.', (v) => v.brokerQueuePeak],
  ['broker_queue_age_ms', 'Age of the oldest waiting broker call.', (v) => v.brokerQueueAge],
  ['list_age_ms', 'Age of the oldest list of an account with an order at work.', (v) => v.listAge],
  ['due', 'Orders that are due and held up by us.', (v) => v.due],
  ['due_age_ms', 'Age of the oldest of them.', (v) => v.dueAge],
  ['unknown', 'Orders without a verdict.', (v) => v.unknown],
  ['unknown_age_ms', 'Age of the oldest of them.', (v) => v.unknownAge],
  ['cash_questions', 'Requests to the broker for buying power so far.', (v) => v.cashQuestions],
  ['lists_read', 'Lists of the broker read so far.', (v) => v.listsRead],
  ['accounts_asking', 'Accounts that ask whether another Digger trades them; no order leaves.', (v) => v.asking],
  ['limits_reached', 'Limits that hold the buying back until a person lets go.', (v) => v.limitsReached],
  [
    'accounts_not_armed_in_session',
    'Without a key, or not compared, while they should trade.',
    (v) => v.notArmedInSession,
  ],
]

/** All of one moment: the one registered first reads the accounts and sets the others, before those are read. */
function bindVitals(registry: Registry, { probe }: Services): void {
  if (probe === undefined) return
  const gauges: { readonly one: Gauge; readonly of: (vitals: Vitals) => number }[] = []
  const troubles: Gauge<'code'> = new Gauge({
    name: 'digger_trouble',
    help: 'What keeps accounts from their work: how many it concerns, 1 for the server itself.',
    labelNames: ['code'],
    registers: [registry],
    collect: () => {
      const vitals = probe()
      for (const { one, of } of gauges) one.set(of(vitals))
      troubles.reset()
      for (const { code, accounts } of vitals.troubles) troubles.set({ code }, accounts ?? 1)
      for (const cause of STOCK_STOPS) stopped.set({ cause }, vitals.stocksStopped[cause])
    },
  })
  const stopped: Gauge<'cause'> = new Gauge({
    name: 'digger_stocks_stopped',
    help: 'Stocks that stand still until a person settles what stopped them, by cause.',
    labelNames: ['cause'],
    registers: [registry],
  })
  for (const [name, help, of] of VITALS) {
    gauges.push({ one: new Gauge({ name: `digger_${name}`, help, registers: [registry] }), of })
  }
}

/** Of one process of several. */
function bindCluster(registry: Registry, probe: ClusterProbe): void {
  for (const { name, help, labels, read } of CLUSTER_METRICS) {
    const made: Gauge = new Gauge({
      name: `digger_${name}`,
      help,
      labelNames: labels,
      registers: [registry],
      collect: () => {
        made.reset()
        for (const [values, value] of read(probe)) made.set(values, value)
      },
    })
  }
}

/** Of everybody; a gateway tells nobody. */
function bindNotifications(registry: Registry, { notifications }: Services): void {
  if (notifications === undefined) return
  const failing = new Gauge({
    name: 'digger_notification_channels_failing',
    help: 'Channels that took nothing at the last try.',
    registers: [registry],
  })
  const waiting: Gauge = new Gauge({
    name: 'digger_notifications_waiting',
    help: 'Bundles of notifications that wait for a channel.',
    registers: [registry],
    collect: async () => {
      const counts = await answered(notifications.counts())
      waiting.set(counts?.waiting ?? Number.NaN)
      failing.set(counts?.failing ?? Number.NaN)
    },
  })
}

/**
 * What the database says, or null where it does not answer in time: the rest must be there then, above all how many wait for a
 * connection.
 */
async function answered<T>(asked: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), DATABASE_TIMEOUT_MS)
  try {
    return await Promise.race([asked, late.promise])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

function bindSockets(registry: Registry, services: Services): void {
  if (services.probe === undefined) return
  const sockets: Gauge<'state'> = new Gauge({
    name: 'digger_sockets',
    help: 'Accounts that want a live socket to the broker, and those that have one.',
    labelNames: ['state'],
    registers: [registry],
    collect: async () => {
      const counts = await answered(countSockets(services))
      sockets.reset()
      if (counts === null) return
      sockets.set({ state: 'wanted' }, counts.wanted)
      sockets.set({ state: 'connected' }, counts.connected)
    },
  })
}

function bindBackup(registry: Registry, { backup, wall }: Services): void {
  if (backup === undefined) return
  gauge(registry, 'digger_backup_failed', 'Whether the last daily backup failed.', () =>
    (backup()?.failure ?? null) === null ? 0 : 1,
  )
  gauge(
    registry,
    'digger_backup_age_seconds',
    'Age of the newest daily backup; NaN where this process has none.',
    () => {
      const newestAt = backup()?.newestAt ?? null
      return newestAt === null ? Number.NaN : (wall.now() - newestAt) / 1_000
    },
  )
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(read()) })
}
