import { Pool } from 'undici'
import type { Dispatcher } from 'undici'
import type { TimeReceived, WriteGuard } from '../api.ts'
import { NotSentError } from '../errors.ts'
import { isForbidden, outsideInspection, showReply } from './inspection.ts'
import { resettingConnector } from './resetting-socket.ts'

export interface Timeouts {
  /** TCP and TLS together, ms. */
  readonly connectMs: number
  /** From asking for a connection to the last byte of the answer, ms. Paper answers took 5–8 s on bad days. */
  readonly totalMs: number
  /** How long closing waits for answers, ms: a process that is being stopped has about ten seconds. */
  readonly closeMs: number
}

export const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 5_000, totalMs: 20_000, closeMs: 5_000 }

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly guard?: WriteGuard | undefined
  /** In the place of the client's `totalMs`. */
  readonly answerMs?: number | undefined
  /** Whoever asked wants no answer any more. */
  readonly signal?: AbortSignal | undefined
}

export interface HttpResponse {
  readonly status: number
  /** Response header `tr_cont`; null when absent. */
  readonly cont: string | null
  /** In the order and spelling of the wire. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string
}

/** There is no complete response. `written`: bytes may have reached the broker. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly written: boolean
  constructor(message: string, written: boolean, cause?: unknown) {
    super(message, { cause })
    this.written = written
  }
}

interface Settle {
  readonly resolve: (reply: HttpResponse) => void
  readonly reject: (error: Error) => void
}

/** undici has names and values one after the other. */
function pairsOf(raw: Dispatcher.DispatchController['rawHeaders']): HttpResponse['headers'] {
  if (!Array.isArray(raw)) return []
  const texts = raw.map((part) => part.toString())
  return texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? ''] as const] : []))
}

/** One request from the moment it asks for a connection. Works on undici's handler so that the guard and the write share a turn. */
class PendingRequest implements Dispatcher.DispatchHandler {
  readonly #settle: Settle
  readonly #guard: WriteGuard | undefined
  readonly #timer: NodeJS.Timeout
  readonly #onTime: TimeReceived
  #writtenAt = 0
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #status = 0
  #cont: string | null = null
  #headers: HttpResponse['headers'] = []
  #written = false
  #over = false

  constructor(settle: Settle, totalMs: number, guard: WriteGuard | undefined, onTime: TimeReceived) {
    this.#settle = settle
    this.#onTime = onTime
    this.#guard = guard
    this.#timer = setTimeout(() => this.#fail(new Error(`no answer within ${totalMs} ms`)), totalMs)
  }

  /** undici calls this right before it writes; aborting here means nothing is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The deadline passed while the connection was made: the caller has "not sent", so it must not leave now.
    if (this.#over) return controller.abort(new Error('too late'))
    const refusal = this.#refusal()
    if (refusal !== null) {
      if (this.#end()) this.#settle.reject(refusal)
      return controller.abort(refusal)
    }
    this.#controller = controller
    this.#written = true
    this.#writtenAt = performance.now()
  }

  #refusal(): NotSentError | null {
    try {
      const message = this.#guard?.refuse() ?? null
      return message === null ? null : new NotSentError(message)
    } catch (error) {
      return new NotSentError('주문 직전 확인에서 오류가 났습니다.', null, error)
    }
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    const cont = headers['tr_cont']
    this.#status = status
    this.#cont = typeof cont === 'string' ? cont.trim() : null
    this.#headers = pairsOf(controller.rawHeaders)
    const date = typeof headers['date'] === 'string' ? Date.parse(headers['date']) : Number.NaN
    this.#onTime(Number.isNaN(date) ? null : date, performance.now() - this.#writtenAt)
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (!this.#end()) return
    const text = Buffer.concat(this.#chunks).toString('utf8')
    this.#settle.resolve({ status: this.#status, cont: this.#cont, headers: this.#headers, text })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  giveUp(): void {
    this.#fail(new Error('given up'))
  }

  #fail(error: Error): void {
    if (!this.#end()) return
    this.#settle.reject(new HttpFailure(error.message, this.#written, error))
    this.#controller?.abort(error)
  }

  #end(): boolean {
    if (this.#over) return false
    this.#over = true
    clearTimeout(this.#timer)
    return true
  }
}

/**
 * Keep-alive connections to one host, five at most: one broker address takes no more than 28,000 from one of ours, and
 * an account needs no more. Orders have one of their own, so that slow queries cannot take it; an order that is given up
 * takes its connection along by a reset, so that not even the kernel can deliver it later. So do requests for tokens and keys,
 * one of which is taken in a minute: the broker counts it from when it comes.
 */
export class Http {
  readonly #queries: Pool
  readonly #orders: Pool
  readonly #keys: Pool
  readonly #timeouts: Timeouts
  readonly #onTime: TimeReceived
  #unanswered = 0
  #closing: Promise<void> | null = null

  /** `onTime`: the broker's clock by the Date of an answer. */
  constructor(url: string, timeouts: Timeouts, onTime: TimeReceived = () => {}, queryConnections = 3) {
    const options: Pool.Options = {
      pipelining: 1,
      // KIS speaks HTTP/1.1 only; HTTP/2 would also queue writes away from the turn of the guard.
      allowH2: false,
      connect: { timeout: timeouts.connectMs },
      // A connection idle for longer may be closed by the broker just as an order is written: its fate would be unknown.
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 30_000,
      maxResponseSize: 8 * 1024 * 1024,
    }
    const origin = new URL(url).origin
    this.#queries = new Pool(origin, { ...options, connections: queryConnections })
    const connect = resettingConnector(timeouts.connectMs)
    this.#orders = new Pool(origin, { ...options, connections: 1, connect })
    this.#keys = new Pool(origin, { ...options, connections: 1, connect })
    this.#timeouts = timeouts
    this.#onTime = (at, ageMs) => outsideInspection(() => onTime(at, ageMs))
  }

  get unanswered(): number {
    return this.#unanswered
  }

  /** Rejects with `HttpFailure`, or with `NotSentError` when its guard held it back or an inspection wanted more than to read. */
  async send(request: HttpRequest, kind: 'query' | 'order' | 'key' = 'query'): Promise<HttpResponse> {
    if (isForbidden(request, kind)) throw new NotSentError('점검은 읽기만 합니다. 주문은 보내지 않았습니다.')
    const response = await this.#dispatch(request, kind)
    if (kind === 'query') showReply(request, response)
    return response
  }

  #dispatch(request: HttpRequest, kind: 'query' | 'order' | 'key'): Promise<HttpResponse> {
    const pool = { query: this.#queries, order: this.#orders, key: this.#keys }[kind]
    const { method, path, headers, body, guard, answerMs = this.#timeouts.totalMs, signal } = request
    const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
    const pending = new PendingRequest({ resolve, reject }, answerMs, guard, this.#onTime)
    const giveUp = (): void => pending.giveUp()
    signal?.addEventListener('abort', giveUp)
    this.#unanswered += 1
    const over = (): void => {
      this.#unanswered -= 1
      signal?.removeEventListener('abort', giveUp)
    }
    promise.then(over, over)
    if (signal?.aborted) giveUp()
    // A Buffer body makes undici send Content-Length; chunked bodies are answered with EGW00202.
    pool.dispatch({ method, path, headers, body: body === null ? null : Buffer.from(body) }, pending)
    return promise
  }

  /** Requests on the wire have `closeMs` to be answered; then they are given up, orders by a reset. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  async #closeAll(): Promise<void> {
    const pools = [this.#queries, this.#orders, this.#keys]
    const cut = setTimeout(() => {
      for (const pool of pools) pool.destroy(new Error('closed')).catch(() => undefined)
    }, this.#timeouts.closeMs)
    await Promise.all(pools.map((pool) => pool.close()))
    clearTimeout(cut)
  }
}
