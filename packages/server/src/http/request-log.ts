import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Clock } from '@digger/database'
import type { Services } from '../services.ts'
import { sentTokens } from './cookies.ts'

/** Longer paths are nobody's habit: the log is not theirs to fill. */
const LONGEST_PATH = 200
const WINDOW_MS = 60_000
/** Lines of one status in a minute; the rest is counted. People have rates of their own and are worth more words. */
const LINES = { strangers: 20, people: 200 }

export interface Noted {
  readonly method: string
  readonly url: string
  readonly ip: string
  readonly status: number
  /** Without a session. */
  readonly stranger: boolean
  readonly reqId?: string
  readonly ms?: number
}

type Who = keyof typeof LINES

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
    if (count > LINES[who]) return
    this.#log?.[rest.status >= 500 ? 'error' : 'info']({ ...rest, url: pathOf(url) })
  }

  /** Says how many were not told one by one. */
  flush(): void {
    this.#stop?.()
    this.#stop = null
    const untold = { strangers: this.#untold('strangers'), people: this.#untold('people') }
    if (untold.strangers !== undefined || untold.people !== undefined)
      this.#log?.warn({ untold }, 'requests of this minute beyond those told one by one, by status')
    for (const counts of Object.values(this.#counts)) counts.clear()
  }

  #untold(who: Who): Record<string, number> | undefined {
    const over = [...this.#counts[who]].filter(([, count]) => count > LINES[who])
    if (over.length === 0) return undefined
    return Object.fromEntries(over.map(([status, count]) => [status, count - LINES[who]]))
  }
}

/** What only reads and succeeds is for debugging, or a quiet day would fill the disk. */
export function logRequests(app: FastifyInstance, { sessions }: Pick<Services, 'sessions'>, log: RequestLog): void {
  app.addHook('onClose', async () => log.flush())
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method, url, ip } = request
    const status = reply.statusCode
    const ms = Math.round(reply.elapsedTime)
    if (status >= 400 || method !== 'GET') {
      const stranger = sentTokens(request).every((token) => sessions.peek(token) === null)
      log.note({ reqId: id, method, url, ip, status, ms, stranger })
    } else if (app.log.level === 'debug' || app.log.level === 'trace') {
      app.log.debug({ reqId: id, method, url: pathOf(url), ip, status, ms })
    }
    done()
  })
}

/** What stands behind the question mark is the caller's: it may be anything, also a password sent the wrong way. */
function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? ''
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…(${path.length})` : path
}
