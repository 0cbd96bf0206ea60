import type { KisEnv, MarketOf } from '../api.ts'
import type { KisSocket, KisSocketObserver, SocketState } from '../api-socket.ts'
import { HtsIdError, KisError, NoticeKeyError, UnreachableError } from '../errors.ts'
import { CREDENTIAL_CODES } from '../wire/codes.ts'
import type { ApprovalKeys } from '../transport/auth.ts'
import { BackOff } from './back-off.ts'
import { Registrations } from './registrations.ts'
import { Connection } from './connection.ts'
import type { Ack, ConnectionEnd, ConnectionOwner } from './connection.ts'
import { SocketObservers } from './socket-observers.ts'
import type { SocketTimes } from './times.ts'

interface LiveSocketOptions {
  readonly env: KisEnv
  readonly url: string
  readonly htsId: string
  /** Ten digits. */
  readonly accountNumber: string
  readonly approval: ApprovalKeys
  readonly times: SocketTimes
}

/** Keeps one connection alive while it is wanted, and restores what was watched. */
export class LiveSocket implements KisSocket, ConnectionOwner {
  readonly #options: LiveSocketOptions
  readonly #url: string
  readonly #registrations = new Registrations()
  readonly #backOff: BackOff
  readonly #observers = new SocketObservers()
  #state: SocketState = 'disconnected'
  #wanted = false
  #connection: Connection | null = null
  #timer: NodeJS.Timeout | null = null
  #upSince = 0
  /** When the broker first and last said that another connection holds the key; a line that fails otherwise meanwhile says nothing. */
  #held: { readonly since: number; last: number } | null = null
  #framesBefore = 0
  isRefused = false
  /** Counts attempts, so that what comes late for an older one is ignored. */
  #generation = 0
  #pendingConnect: PromiseWithResolvers<void> | null = null

  constructor(options: LiveSocketOptions) {
    this.#options = options
    this.#url = withPath(options.url)
    this.#backOff = new BackOff(options.times)
  }

  get state(): SocketState {
    return this.#state
  }

  get isWanted(): boolean {
    return this.#wanted
  }

  get heldElsewhere(): boolean {
    return this.#held !== null && this.#held.last - this.#held.since > this.#options.times.releaseMs
  }

  get frames(): number {
    return this.#framesBefore + (this.#connection?.frames ?? 0)
  }

  get unanswered(): number {
    return this.#registrations.unanswered
  }

  get watched(): ReadonlySet<string> {
    return this.#registrations.live
  }

  watchedSince(code: string, market: MarketOf): number | null {
    return this.#registrations.liveSince(code, market)
  }

  observe(observer: KisSocketObserver): void {
    this.#observers.add(observer)
  }

  /**
   * Resolves when connected. Rejects with the reason when this attempt fails; attempts go on by themselves, after a wrong
   * HTS ID or app key only every `refusedWaitMs` unless `connect` is called again.
   */
  connect(): Promise<void> {
    if (this.#state === 'connected') return Promise.resolve()
    this.#wanted = true
    this.#pendingConnect ??= Promise.withResolvers()
    if (this.#state === 'disconnected') this.#schedule(this.#backOff.shortestDelay(performance.now()))
    return this.#pendingConnect.promise
  }

  watch(codes: readonly string[], marketOf: (code: string) => MarketOf = () => 'KRX'): void {
    this.#registrations.setWanted(codes, marketOf)
    this.#register()
  }

  async renewKey(): Promise<void> {
    const connection = this.#connection
    if (this.#state !== 'connected' || connection === null || this.#options.approval.lastsToday) return
    this.#options.approval.forget()
    this.#dropConnection()
    this.#registrations.reset()
    const generation = (this.#generation += 1)
    this.#setState('disconnected', '하루를 시작하며 실시간 접속키를 새로 받습니다.')
    // The broker lets go of the key first: two connections of one key are refused.
    await connection.close()
    if (generation === this.#generation && this.#wanted && this.#timer === null) this.#schedule(0)
  }

  async close(): Promise<void> {
    this.#wanted = false
    this.#held = null
    this.#generation += 1
    this.#clearTimer()
    this.#rejectConnect(new UnreachableError('실시간 연결을 닫았습니다.'))
    const connection = this.#connection
    this.#dropConnection()
    this.#registrations.reset()
    this.#setState('disconnected', '실시간 연결을 닫았습니다.')
    await connection?.close()
  }

  #schedule(delayMs: number): void {
    this.#clearTimer()
    this.#timer = setTimeout(() => void this.#attempt(), delayMs)
  }

  async #attempt(): Promise<void> {
    this.#clearTimer()
    const generation = (this.#generation += 1)
    this.#backOff.onAttempt(performance.now())
    this.#setState('connecting', '실시간 연결을 시작합니다.')
    try {
      const approvalKey = await this.#options.approval.get()
      if (generation !== this.#generation) return
      const { env, htsId, accountNumber, times } = this.#options
      this.#connection = new Connection({
        env,
        url: this.#url,
        approvalKey,
        htsId,
        accountNumber,
        times,
        owner: this,
        observers: this.#observers,
      })
    } catch (error) {
      if (generation !== this.#generation) return
      const refused = error instanceof KisError && error.code !== null && CREDENTIAL_CODES.includes(error.code)
      this.#onEnd({ kind: refused ? 'refused' : 'lost', why: error instanceof Error ? error.message : String(error) })
    }
  }

  connectionUp(): void {
    this.#upSince = performance.now()
    this.#held = null
    this.isRefused = false
    this.#setState('connected', '실시간 연결이 되었습니다.')
    this.#pendingConnect?.resolve()
    this.#pendingConnect = null
    this.#register()
  }

  registrationAnswered(ack: Ack): void {
    const problem = this.#registrations.onAck(ack, performance.now())
    if (problem !== null) this.#observers.problemFound(problem)
    this.#register()
  }

  heartbeat(): void {
    const now = performance.now()
    if (now - this.#upSince >= this.#options.times.stableMs) this.#backOff.reset()
    for (const problem of this.#registrations.expire(now, this.#options.times.ackMs))
      this.#observers.problemFound(problem)
    this.#register()
  }

  /** What comes late for an older connection is ignored. */
  connectionEnded(end: ConnectionEnd, connection: Connection): void {
    if (connection === this.#connection) this.#onEnd(end)
  }

  #register(): void {
    const connection = this.#connection
    if (connection === null || !connection.up) return
    for (const registration of this.#registrations.nextMessages(performance.now())) connection.send(registration)
  }

  #dropConnection(): void {
    this.#framesBefore = this.frames
    this.#connection = null
  }

  #onEnd({ kind, why }: ConnectionEnd): void {
    if (kind === 'inUse') this.#noteHeld(performance.now())
    if (kind === 'badHtsId' || kind === 'refused' || kind === 'noNoticeKey') this.isRefused = true
    this.#dropConnection()
    this.#registrations.reset()
    // A key that was refused and is accepted again needs an approval of its own, too.
    if (kind === 'badApproval' || kind === 'badHtsId' || kind === 'refused') this.#options.approval.forget()
    this.#setState('disconnected', why)
    const now = performance.now()
    // An observer may have called connect or close meanwhile.
    const goesOn = this.#wanted && this.#timer === null
    if (kind === 'badApproval' && goesOn) {
      const delay = this.#backOff.delayForNewKey(now)
      // Whoever waits for the connection need not learn of a key that is replaced at once.
      if (delay > 0) this.#rejectConnect(new UnreachableError(why))
      return this.#schedule(delay)
    }
    this.#rejectConnect(errorOf({ kind, why }))
    if (!goesOn || kind === 'badApproval') return
    const { inUseWaitMs, refusedWaitMs } = this.#options.times
    const shortest = { lost: 0, noNoticeKey: 0, inUse: inUseWaitMs, badHtsId: refusedWaitMs, refused: refusedWaitMs }
    this.#schedule(Math.max(this.#backOff.delay(now), shortest[kind]))
  }

  #noteHeld(now: number): void {
    this.#held ??= { since: now, last: now }
    this.#held.last = now
  }

  #rejectConnect(error: KisError): void {
    this.#pendingConnect?.reject(error)
    this.#pendingConnect = null
  }

  #setState(state: SocketState, why: string): void {
    if (state === this.#state) return
    this.#state = state
    this.#observers.stateChanged(state, why, this)
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}

function errorOf({ kind, why }: ConnectionEnd): KisError {
  if (kind === 'badHtsId') return new HtsIdError(why)
  return kind === 'noNoticeKey' ? new NoticeKeyError(why) : new UnreachableError(why)
}

/** The broker's own clients connect to /tryitout; a path that was given stays. */
function withPath(url: string): string {
  const target = new URL(url)
  if (target.pathname === '/') target.pathname = '/tryitout'
  return target.toString()
}
