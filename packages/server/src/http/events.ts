import { calls, paths } from '@digger/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { every } from '../clock.ts'
import type { Sink } from '../live/hub.ts'
import type { Services } from '../services.ts'
import { guard, routePath } from './route.ts'
import { schemaOf } from './schema.ts'
import { sessionToken } from './cookies.ts'

const BEAT_MS = 15_000
/** A browser tells by this how soon to come back after a cut. */
const RETRY_MS = 2_000

/** GET …/events: the live stream of one user, until the browser leaves or the session ends. */
export function bindEvents(app: FastifyInstance, services: Services): void {
  const granted = guard(services, calls.events)
  const open = new Map<string, Set<Sink>>()
  const stopWatching = services.sessions.onEnd((id) => open.get(id)?.forEach((sink) => sink.end()))
  const stopBeating = every(services.wall, BEAT_MS, () => services.live.beat())
  app.addHook('preClose', async () => {
    stopWatching()
    stopBeating()
    services.live.close()
  })
  app.route({
    method: paths.events[0],
    url: routePath('events'),
    schema: schemaOf('events'),
    onRequest: granted.hook,
    handler: (request, reply) => {
      const { caller, userId } = granted.of(request)
      const sink = sinkOf(reply)
      const { hub, leave } = services.live.join(userId, sink)
      const session = caller?.id ?? ''
      open.set(session, (open.get(session) ?? new Set()).add(sink))
      const stopChecking = checkSession(services, request, sink)
      reply.raw.on('drain', () => hub.drained(sink))
      reply.raw.on('close', () => {
        leave()
        stopChecking()
        const sinks = open.get(session)
        sinks?.delete(sink)
        if (sinks?.size === 0) open.delete(session)
      })
    },
  })
}

function sinkOf(reply: FastifyReply): Sink {
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  // The stream ends with its connection: dividing it into chunks would cost as much again as sending it.
  raw.useChunkedEncodingByDefault = false
  raw.writeHead(200, {
    connection: 'close',
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  })
  raw.socket?.setNoDelay(true)
  raw.write(`retry: ${RETRY_MS}\n\n`)
  return {
    write: (frame) => raw.write(frame),
    end: () => void raw.end(),
  }
}

/** A stream asks for nothing again, so an expired session must be looked for. */
function checkSession({ wall, sessions }: Services, request: FastifyRequest, sink: Sink): () => void {
  const token = sessionToken(request) ?? ''
  return every(wall, BEAT_MS, () => {
    sessions.find(token).then(
      (session) => session ?? sink.end(),
      () => sink.end(),
    )
  })
}
