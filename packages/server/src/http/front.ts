import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session, Sessions } from '@digger/identity'
import type { Admission } from './admission.ts'
import { sessionTokens } from './cookies.ts'
import { LONGEST_URL, sameMarks } from './ready.ts'

/** The oldest go first. Their bytes are mostly those of the kept replies. */
const MOST_KEPT = 256

export interface Sent {
  readonly session: Session
  readonly marks: readonly unknown[]
  readonly marksNow: () => readonly unknown[]
  readonly body: Buffer
}

interface Kept extends Sent {
  readonly token: string
  readonly headers: OutgoingHttpHeaders
}

/**
 * Sends a kept reply again before the framework is asked: to the very same request (address, cookies, encodings) while its
 * session lives and its marks are the same. Whatever is not exactly that goes the usual way, where everything is decided.
 */
export class Front {
  readonly #sessions: Sessions
  readonly #kept = new Map<string, Kept>()
  #sent = 0

  constructor(sessions: Sessions) {
    this.#sessions = sessions
  }

  /** Replies that left from here. */
  get sent(): number {
    return this.#sent
  }

  /** Stands before the server's own listeners: what is not admitted never reaches them. */
  guard(server: Server, admission: Admission): void {
    const listeners = server.listeners('request')
    server.removeAllListeners('request')
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (!admission.knowsHost(request, response)) return
      // Kept replies are not counted: they cost less than counting would save.
      if (this.#answer(request, response) || !admission.admits(request, response)) return
      for (const listener of listeners) listener.call(server, request, response)
    })
  }

  keep(request: FastifyRequest, reply: FastifyReply, sent: Sent): void {
    const key = keyOf(request.raw)
    const [token, other] = sessionTokens(request)
    // Whose several cookies are is not for memory alone to tell.
    if (key === null || token === undefined || other !== undefined) return
    this.#kept.delete(key)
    const headers: OutgoingHttpHeaders = { 'content-length': sent.body.length }
    for (const [name, value] of Object.entries(reply.getHeaders())) headers[name] = value
    this.#kept.set(key, { ...sent, token, headers })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break
      this.#kept.delete(oldest)
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): boolean {
    const key = keyOf(request)
    const kept = key === null ? undefined : this.#kept.get(key)
    if (kept === undefined || !this.#holds(kept)) return false
    this.#sent += 1
    response.writeHead(200, kept.headers).end(kept.body)
    return true
  }

  #holds({ token, session, marks, marksNow }: Kept): boolean {
    return this.#sessions.peek(token) === session && sameMarks(marks, marksNow())
  }
}

/** Everything of a request that its reply depends on; null for one whose reply depends on more. */
function keyOf({ method, url = '', headers }: IncomingMessage): string | null {
  if (method !== 'GET' || headers.cookie === undefined || url.length > LONGEST_URL) return null
  const special = headers.origin ?? headers['if-none-match'] ?? headers['x-forwarded-proto'] ?? headers.range
  return special === undefined ? `${url}\n${headers['accept-encoding'] ?? ''}\n${headers.cookie}` : null
}
