import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listUsers } from '@digger/identity'
import { backupTroubles } from '../backup-trouble.ts'
import type { Services } from '../services.ts'
import { mayInspect } from './inspect.ts'

/** A database that answers later than this counts as down. */
const DATABASE_TIMEOUT_MS = 2_000

/**
 * GET /health: 200 while trading can go on, 503 when it cannot. What waits for a person is named in the details (`forPeople`) and never makes
 * it bad: whoever starts the server again for it settles nothing. Strangers learn well or not and the environment, which the log-in page shows.
 */
export function bindHealth(app: FastifyInstance, services: Services): void {
  app.get('/health', { schema: { hide: true } }, async (request, reply) => {
    const database = await pingDatabase(services)
    const { broker, troubles: own, ...vitals } = services.probe?.() ?? NO_ACCOUNTS
    const troubles = [...own, ...(services.cluster?.troubles ?? [])]
    const ok = database.ok && broker !== 'down' && troubles.length === 0
    if (!(await seesDetails(services, request)))
      return reply.code(ok ? 200 : 503).send({ ok, env: services.config.KIS_ENV })
    return reply.code(ok ? 200 : 503).send({
      ok,
      env: services.config.KIS_ENV,
      database: { ...database, kind: services.database.kind },
      broker,
      // A gateway has no accounts: their workers say how they are.
      sockets: database.ok && services.elsewhere === undefined ? await countSockets(services) : null,
      ...vitals,
      ...(services.cluster && { cluster: services.cluster.status() }),
      troubles: [...troubles, ...backupTroubles(services)],
      streams: services.live.streams,
      // No failure of the server: its operator has to look the days up.
      calendarMissing: services.calendar.missingYear,
    })
  })
}

/** A server of screens only, as tests make it. */
const NO_ACCOUNTS = { broker: 'unused', troubles: [] } as const

/** While the database is away nobody can be recognised, so nobody sees the details. */
const seesDetails = (services: Services, request: FastifyRequest): Promise<boolean> =>
  mayInspect(services, request).catch(() => false)

async function pingDatabase({ database }: Services): Promise<{ ok: boolean; ms: number }> {
  const before = performance.now()
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), DATABASE_TIMEOUT_MS)
  const answered = database.pool.query('select 1').then(
    () => true,
    () => false,
  )
  const ok = await Promise.race([answered, late.promise])
  clearTimeout(timer)
  return { ok, ms: Math.round(performance.now() - before) }
}

/** How many of the users whose key is present have a live socket to the broker. */
export async function countSockets({ database, accounts }: Services): Promise<{ connected: number; wanted: number }> {
  const users = await listUsers(database.db)
  const wanted = users.filter(({ id }) => accounts.unlocked(id))
  return { connected: wanted.filter(({ id }) => accounts.socket(id).connected).length, wanted: wanted.length }
}
