import type { Writable } from 'node:stream'
import { paths, Refused } from '@digger/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { every } from '@digger/database'
import { ACCESS_CHECK_MS, AccessWatch } from '@digger/identity'
import type { Sink } from '@digger/screens'
import type { Services } from '../services.ts'
import { checkAccess, schemaOf } from '@digger/http'
import { accessDepsOf, accessHook } from './access-hook.ts'
import { routePath } from './route.ts'

const HEARTBEAT_MS = 15_000
/** Streams of one user over all their browsers. A tab on each of a few devices is a handful; each costs memory and bandwidth. */
const MAX_STREAMS = 20
/** Of one API token, beside those of its person's browsers. */
const MAX_TOKEN_STREAMS = 3
/** SSE `retry`: how long a browser waits before it reconnects. */
const RETRY_MS = 2_000

/** GET …/events: the live stream of one user, until the browser leaves or may no longer see that account. */
export function bindEvents(app: FastifyInstance, services: Services): void {
  const access = accessHook(services, 'events')
  const rights = new AccessWatch(services.wall)
  const open = new Map<string, Set<Sink>>()
  /** Open streams by who asks: an administrator who watches others uses up their own, a program its token's. */
  const streams = new Map<string, number>()
  const endStreams = (id: string) => open.get(id)?.forEach((sink) => sink.end())
  const stopWatching = [services.sessions.onEnd(endStreams), services.apiTokens.onEnd(endStreams)]
  const stopBeating = every(services.wall, HEARTBEAT_MS, () => services.live.beat())
  app.addHook('preClose', async () => {
    for (const stop of stopWatching) stop()
    stopBeating()
    services.live.close()
  })
  app.route({
    method: paths.events[0],
    url: routePath('events'),
    schema: schemaOf('events'),
    onRequest: access.hook,
    handler: (request, reply) => {
      const { caller, userId } = access.of(request)
      const [asker, most] = caller?.token ? [caller.id, MAX_TOKEN_STREAMS] : [caller?.userId ?? '', MAX_STREAMS]
      if ((streams.get(asker) ?? 0) >= most) throw tooMany(most)
      streams.set(asker, (streams.get(asker) ?? 0) + 1)
      const { out, sink } = openStream(reply)
      const { drained, leave } = services.live.join(userId, sink)
      const session = caller?.id ?? ''
      open.set(session, (open.get(session) ?? new Set()).add(sink))
      const stopChecking = rights.add({ confirm: () => mayStillSee(services, request), end: () => sink.end() })
      out.on('drain', drained)
      reply.raw.on('close', () => {
        leave()
        stopChecking()
        countDown(streams, asker)
        const sinks = open.get(session)
        sinks?.delete(sink)
        if (sinks?.size === 0) open.delete(session)
      })
    },
  })
}

const tooMany = (most: number): Refused =>
  new Refused('BUSY', `열린 화면이 ${most}개를 넘어 실시간으로 알려 드리지 못합니다. 안 쓰는 화면을 닫아 주세요.`)

function countDown(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 0) - 1
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}

function openStream(reply: FastifyReply): { out: Writable; sink: Sink } {
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
  // After its head this response is bytes as they are, and its own `write` costs a fifth of sending them. It has no socket
  // while an earlier answer of a pipelining client is under way.
  const out = raw.socket ?? raw
  const sink: Sink = {
    // Between its end and its close a stream still receives events; writing them would be an error nobody catches.
    write: (frame) => raw.writableEnded || out.write(frame),
    end: () => void raw.end(),
  }
  return { out, sink }
}

/** A stream asks for nothing again, so its right is looked for. */
const mayStillSee = (services: Services, request: FastifyRequest): Promise<boolean> =>
  checkAccess(accessDepsOf(services), 'events', request, ACCESS_CHECK_MS).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refused) return false
      throw error
    },
  )
