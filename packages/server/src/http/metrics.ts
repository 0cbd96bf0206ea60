import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { Refused } from '../accounts/port.ts'
import type { Services } from '../services.ts'
import type { Front } from './front.ts'
import { mayInspect } from './inspect.ts'

const SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

/** GET /metrics for Prometheus: from this machine, or by an administrator. */
export function bindMetrics(app: FastifyInstance, services: Services, front: Front): void {
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
    help: 'Replies sent again as they were, not counted above.',
    registers: [registry],
    collect: () => {
      repeated.reset()
      repeated.inc(front.sent)
    },
  })
  gauge(registry, 'digger_streams', 'Open live streams.', () => services.live.streams)
  gauge(registry, 'digger_broker_queue', 'Broker calls waiting for their turn.', () => services.probe?.().queue ?? 0)
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

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(read()) })
}
