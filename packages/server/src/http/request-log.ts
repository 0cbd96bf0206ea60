import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Clock } from '@digger/database'
import type { Services } from '../services.ts'
import { bearerOf, sentTokens } from '@digger/http'

/** No page of ours has a longer path; a caller must not choose the size of the log. */
const MAX_PATH_LENGTH = 200
const WINDOW_MS = 60_000
/** Lines of one status in a minute; the rest is counted. People get more: their requests are limited by user. */
const MAX_LINES = { strangers: 20, people: 200 }

export interface Noted {
  readonly method: string
  readonly url: string
  readonly ip: string
  readonly status: number
  /** Whether it came from nobody we know, or was not let in: those share the smaller budget of lines. */
  readonly stranger: boolean
  readonly reqId?: string
  /** Who asked, where that is known. */
  readonly userId?: string
  /** Name of the API token by which it came. */
  readonly apiToken?: string
  readonly ms?: number
}

type Who = keyof typeof MAX_LINES

/** A line for each request that changed or was refused something, as long as there are not too many of a kind. */
export class RequestLog {
  readonly #log: FastifyBaseLogger | undefined
  readonly #clock: Clock
  readonly #counts = { strangers: new Map<number, number>(), people: new Map<number, number>() }
  #stop: (() => void) | null = null

  constructor(log: FastifyBaseLogger | undefined, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  note({ stranger, url, ...rest }: Noted): void {
    const who: Who = stranger ? 'strangers' : 'people'
    const counts = this.#counts[who]
    const count = (counts.get(rest.status) ?? 0) + 1
    counts.set(rest.status, count)
    this.#stop ??= this.#clock.after(WINDOW_MS, () => this.flush())
    if (count > MAX_LINES[who]) return
    this.#log?.[rest.status >= 500 ? 'error' : 'info']({ ...rest, url: pathOf(url) })
  }

  /** Logs how many requests got no line of their own. */
  flush(): void {
    this.#stop?.()
    this.#stop = null
    const suppressed = { strangers: this.#suppressed('strangers'), people: this.#suppressed('people') }
    if (suppressed.strangers !== undefined || suppressed.people !== undefined)
      this.#log?.warn({ suppressed }, 'requests of this minute without a line of their own, by status')
    for (const counts of Object.values(this.#counts)) counts.clear()
  }

  #suppressed(who: Who): Record<string, number> | undefined {
    const over = [...this.#counts[who]].filter(([, count]) => count > MAX_LINES[who])
    if (over.length === 0) return undefined
    return Object.fromEntries(over.map(([status, count]) => [status, count - MAX_LINES[who]]))
  }
}

/** Logs each answered request. Reads that succeed are for debugging, or a quiet day would fill the disk. */
export function logRequests(
  app: FastifyInstance,
  { sessions, apiTokens }: Pick<Services, 'sessions' | 'apiTokens'>,
  log: RequestLog,
): void {
  app.addHook('onClose', async () => log.flush())
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method, url, ip } = request
    const status = reply.statusCode
    const ms = Math.round(reply.elapsedTime)
    if (status >= 400 || method !== 'GET') {
      const bearer = bearerOf(request)
      const shown = bearer === null ? sentTokens(request).map((one) => sessions.peek(one)) : [apiTokens.peek(bearer)]
      const { userId, token } = shown.find((session) => session !== null) ?? {}
      const who = { ...(userId && { userId }), ...(token && { apiToken: token.name }) }
      log.note({ reqId: id, method, url, ip, status, ms, stranger: userId === undefined, ...who })
    } else if (app.log.level === 'debug' || app.log.level === 'trace') {
      app.log.debug({ reqId: id, method, url: pathOf(url), ip, status, ms })
    }
    done()
  })
}

/** The path without its query string: callers put anything there, also a password sent the wrong way. */
function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? ''
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…(${path.length})` : path
}
