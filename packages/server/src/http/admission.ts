import type { IncomingMessage, ServerResponse } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import { LRUCache } from 'lru-cache'
import { networkOf, type Session } from '@digger/identity'
import type { Services } from '../services.ts'
import {
  bearerOf,
  HeldRefusals,
  Hosts,
  overTls,
  RateLimiter,
  refusal,
  type Refusal,
  secureHosts,
  sentTokens,
} from '@digger/http'
import type { RequestLog } from './request-log.ts'

/** Tokens whose user is known. */
const MAX_TOKENS = 10_000

const WRONG_HOST = refusal(
  'FORBIDDEN',
  '이 주소 이름으로는 열지 않습니다. 서버의 PUBLIC_URL에 이 주소를 적거나, 적혀 있는 주소로 들어와 주세요.',
)
const TOO_MANY = refusal('BUSY', '요청이 너무 많습니다. 잠시 뒤 다시 해 주세요.')
const TOO_MANY_OVER_TLS = overTls(TOO_MANY)

export interface AdmissionDeps {
  readonly services: Pick<Services, 'sessions' | 'apiTokens' | 'wall' | 'requestLimits' | 'config'>
  readonly isProxy: (address: string, hop: number) => boolean
  readonly log: RequestLog
}

/** A secret that came along, and who knows whose it is. */
interface Shown {
  readonly token: string
  readonly known: {
    peek(token: string): Session | null
    find(token: string): Promise<Session | null>
  }
}

/** Whose request it is, and with whose others it counts: a person's browsers together, each program by itself. */
interface Asker {
  readonly userId: string
  readonly countedAs: string
}

/** Decides, before anything else is done for a request, whether it is looked at. */
export class Admission {
  readonly #deps: AdmissionDeps
  readonly #hosts: Hosts
  readonly #secureHosts: ReadonlySet<string | undefined>
  readonly #strangers: RateLimiter
  readonly #people: RateLimiter
  readonly #held: HeldRefusals
  /** Who asks by token, also of sessions that must be read again: a flood from the same address must not keep them out. */
  readonly #askers = new LRUCache<string, Asker>({ max: MAX_TOKENS })

  constructor(deps: AdmissionDeps) {
    this.#deps = deps
    const { config, requestLimits, wall } = deps.services
    const { HOST = 'localhost', PUBLIC_URL = [], ALLOWED_ORIGINS } = config
    this.#hosts = new Hosts(HOST, [...PUBLIC_URL, ...ALLOWED_ORIGINS])
    this.#secureHosts = secureHosts(PUBLIC_URL)
    this.#held = new HeldRefusals(requestLimits.holdMs)
    this.#strangers = new RateLimiter(requestLimits.stranger, wall)
    this.#people = new RateLimiter(requestLimits.person, wall)
  }

  /** False when the request was, or will be, refused. */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.#hosts.allows(request.headers.host)) {
      this.#note(request, WRONG_HOST, this.#addressOf(request))
      this.#held.send(request, response, WRONG_HOST)
      return false
    }
    const asker = this.#askerOf(request)
    if (asker !== null) {
      if (this.#people.take(asker.countedAs)) return true
      this.#note(request, TOO_MANY, this.#addressOf(request), asker.userId)
    } else {
      const address = this.#addressOf(request)
      if (this.#strangers.take(networkOf(address))) return true
      this.#note(request, TOO_MANY, address)
    }
    this.#held.send(request, response, this.#secureHosts.has(request.headers.host) ? TOO_MANY_OVER_TLS : TOO_MANY)
    return false
  }

  /**
   * Called once a request was answered: a session that had to be read for it is known from now on, and whoever sends the
   * token of one that ended is a stranger.
   */
  learn(request: Pick<IncomingMessage, 'headers'>): void {
    for (const shown of this.#shownBy(request)) {
      if (this.#learn(shown) === null && this.#askers.has(shown.token)) this.#forgetEnded(shown)
    }
  }

  #forgetEnded({ token, known }: Shown): void {
    known.find(token).then(
      (session) => session === null && this.#askers.delete(token),
      // A database that does not answer has not said that the session ended.
      () => undefined,
    )
  }

  #askerOf(request: Pick<IncomingMessage, 'headers'>): Asker | null {
    for (const shown of this.#shownBy(request)) {
      const asker = this.#askers.get(shown.token) ?? this.#learn(shown)
      if (asker !== null) return asker
    }
    return null
  }

  #learn({ token, known }: Shown): Asker | null {
    const session = known.peek(token)
    if (session === null) return null
    const { userId, id } = session
    const asker = { userId, countedAs: session.token ? id : userId }
    this.#askers.set(token, asker)
    return asker
  }

  #shownBy(request: Pick<IncomingMessage, 'headers'>): readonly Shown[] {
    const { sessions, apiTokens } = this.#deps.services
    const bearer = bearerOf(request)
    if (bearer !== null) return [{ token: bearer, known: apiTokens }]
    return sentTokens(request).map((token) => ({ token, known: sessions }))
  }

  #addressOf(request: IncomingMessage): string {
    return proxyAddr(request, this.#deps.isProxy)
  }

  #note({ method = '', url = '' }: IncomingMessage, { status }: Refusal, ip: string, userId?: string): void {
    this.#deps.log.note({ method, url, ip, status, stranger: true, ...(userId && { userId }) })
  }
}
