import type { BackgroundCalls, KisCredentials, KisEnv, Priority, WriteGuard } from '../api.ts'
import {
  DaysRefusedError,
  KisError,
  ListChangedError,
  NoDataError,
  NotOfferedError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  ThrottledError,
  TokenError,
  UnreachableError,
} from '../errors.ts'
import { ENDPOINTS } from '../wire/endpoints.ts'
import type { EndpointName } from '../wire/endpoints.ts'
import { failureOf, orderFailureOf, readReply } from './api-reply.ts'
import type { ApiReply, TimedReply } from './api-reply.ts'
import type { QueryKind, RateLimiter } from './rate-limiter.ts'
import { HttpFailure } from './http.ts'
import type { Http, HttpRequest } from './http.ts'
import type { TokenManager } from './token.ts'

export interface Retries {
  /** Attempts of one query, the first included. */
  readonly attempts: number
  /** First pause after a failure, ms; doubles each time, with up to as much again at random. */
  readonly pauseMs: number
}

export const DEFAULT_RETRIES: Retries = { attempts: 4, pauseMs: 250 }

export type Params = Readonly<Record<string, string>>
/** The result of one attempt: a reply, or an error with what may be done about it. */
type Attempt =
  | { readonly reply: ApiReply }
  | { readonly error: KisError; readonly remedy: 'none' | 'token' | 'pause' | 'hold' }

interface CallsOptions {
  readonly env: KisEnv
  readonly credentials: KisCredentials
  readonly http: Http
  readonly limiter: RateLimiter
  readonly tokens: TokenManager
  readonly retries: Retries
  /** Epoch ms. */
  readonly now: () => number
  /** What is asked keeps no price waiting. */
  readonly background?: BackgroundCalls
}

export interface QueryOptions {
  readonly priority: Exclude<Priority, 'order'>
  /** Default: question. */
  readonly kind?: QueryKind
  /** How long the query may wait for its turn, ms. */
  readonly withinMs?: number | undefined
  /** Request header `tr_cont`. */
  readonly cont?: string
}

/** Keeps when a query left, and lets every one go. */
class Departure implements WriteGuard {
  /** Epoch ms; of the last attempt. */
  leftAt = 0
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  refuse(): null {
    this.leftAt = this.#now()
    return null
  }
}

/** Calls of the business APIs: headers, queue, token, and the rule of what may be sent twice. */
export class Calls {
  readonly env: KisEnv
  readonly #options: CallsOptions

  constructor(options: CallsOptions) {
    this.env = options.env
    this.#options = options
  }

  /** The same client for what keeps no price waiting. */
  inBackground(background: BackgroundCalls): Calls {
    return new Calls({ ...this.#options, background, retries: { ...this.#options.retries, attempts: 1 } })
  }

  get unanswered(): number {
    const { http, tokens } = this.#options
    return http.unanswered + Number(tokens.renewing)
  }

  /** A query is sent again, a bounded number of times, while the broker or the connection is at fault. */
  async query(name: EndpointName, params: Params, options: QueryOptions): Promise<TimedReply> {
    const { limiter, tokens, retries, now, background } = this.#options
    const { priority, kind = 'question', withinMs, cont = '' } = options
    const deadline = withinMs === undefined ? Number.POSITIVE_INFINITY : limiter.now() + withinMs
    const trId = this.trId(name)
    await tokens.get()
    const isBackground = background !== undefined
    const isAwaited = background?.isAwaited ?? !isBackground
    const slot = await limiter.acquire({ priority, kind, deadline, isBackground, isAwaited })
    try {
      const path = `${ENDPOINTS[name].path}?${new URLSearchParams(params).toString()}`
      const guard = new Departure(now)
      const request = { method: 'GET', path, body: null, guard, ...background } as const
      let renewed = false
      for (let attempt = 1; ; attempt += 1) {
        const result = await this.#attempt(request, trId, cont)
        if ('reply' in result) return { ...result.reply, leftAt: guard.leftAt }
        const { error, remedy } = result
        if (remedy === 'none' || attempt >= retries.attempts || (remedy === 'token' && renewed)) throw error
        renewed ||= remedy === 'token'
        await slot.retryAfter(remedy === 'token' ? 0 : pauseBefore(attempt, retries))
      }
    } finally {
      slot.release()
    }
  }

  /**
   * An order or cancel: leaves once. Two refusals come from the gateway's door, before anything is routed, and only
   * they allow a second try: a dead token (EGW00121–123) and too many calls (EGW00201). The second try waits for its
   * own slot while the order queue is held, so no later order overtakes it, and asks the guard again, for a stop may have
   * come meanwhile. Everything else without a verdict is `OutcomeUnknownError`.
   */
  async order(name: EndpointName, body: Params, guard?: WriteGuard): Promise<ApiReply> {
    const { limiter, tokens } = this.#options
    const trId = this.trId(name)
    await tokens.get()
    const slot = await limiter.acquire({ priority: 'order' })
    try {
      const request = { method: 'POST', path: ENDPOINTS[name].path, body: JSON.stringify(body) } as const
      const first = await this.#attempt({ ...request, guard }, trId, '')
      if ('reply' in first) return first.reply
      if (first.remedy !== 'token' && first.remedy !== 'hold') throw first.error
      await slot.retryAfter(0)
      const second = await this.#attempt({ ...request, guard }, trId, '')
      if ('reply' in second) return second.reply
      throw second.error
    } finally {
      slot.release()
    }
  }

  trId(name: EndpointName): string {
    const id = ENDPOINTS[name][this.env]
    if (id === null) throw new NotOfferedError('모의투자에서 제공하지 않는 기능입니다.')
    return id
  }

  async #attempt(request: Omit<HttpRequest, 'headers'>, trId: string, cont: string): Promise<Attempt> {
    const { http, tokens, credentials } = this.#options
    const isOrder = request.method === 'POST'
    const token = await tokens.get()
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      authorization: `Bearer ${token}`,
      appkey: credentials.appKey,
      appsecret: credentials.appSecret,
      tr_id: trId,
      tr_cont: cont,
      custtype: 'P',
    }
    try {
      const response = await http.send({ ...request, headers }, isOrder ? 'order' : 'query')
      const reply = readReply(response)
      if (reply === null) return noVerdict(isOrder, `알아볼 수 없는 응답입니다 (HTTP ${response.status}).`, null)
      return reply.ok ? { reply } : await this.#refusal(reply, token, isOrder)
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      if (isOrder && !error.written) {
        return {
          error: new NotSentError('증권사에 연결하지 못해 주문을 보내지 않았습니다.', null, error),
          remedy: 'none',
        }
      }
      return noVerdict(isOrder, '증권사의 응답을 받지 못했습니다.', null, error)
    }
  }

  async #refusal(reply: ApiReply, token: string, isOrder: boolean): Promise<Attempt> {
    const { limiter, tokens } = this.#options
    const { code, message } = reply
    switch (isOrder ? orderFailureOf(reply) : failureOf(reply)) {
      case 'token':
        // Not a retry without a new token: replacing it throws when none can be had now.
        await tokens.replace(token)
        return { error: new TokenError(message, code), remedy: 'token' }
      case 'throttled':
        limiter.holdAll()
        return { error: new ThrottledError(message, code), remedy: 'hold' }
      case 'ledgerBusy':
        limiter.holdLedger()
        // Whether an order passed before the ledger refused is not known.
        return isOrder ? noVerdict(true, message, code) : { error: new ThrottledError(message, code), remedy: 'pause' }
      case 'notOffered':
        return { error: new NotOfferedError(message, code), remedy: 'none' }
      case 'noVerdict':
        return noVerdict(isOrder, message || '증권사가 결과를 알려주지 않았습니다.', code || null)
      case 'noData':
        return { error: new NoDataError(message || code, code), remedy: 'none' }
      case 'daysRefused':
        return { error: new DaysRefusedError(message || code, code), remedy: 'none' }
      case 'listChanged':
        return { error: new ListChangedError(message || code, code), remedy: 'none' }
      case 'refused':
        return { error: new RefusedError(message || code, code), remedy: 'none' }
    }
  }
}

const noVerdict = (isOrder: boolean, message: string, code: string | null, cause?: unknown): Attempt =>
  isOrder
    ? { error: new OutcomeUnknownError(message, code, cause), remedy: 'none' }
    : { error: new UnreachableError(message, code, cause), remedy: 'pause' }

/** Random, so that callers thrown back together do not come back together. */
const pauseBefore = (attempt: number, { pauseMs }: Retries): number =>
  pauseMs * 2 ** (attempt - 1) * (1 + Math.random())
