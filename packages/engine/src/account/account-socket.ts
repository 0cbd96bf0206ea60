import { dayToPrepare, type MorningFacts } from '@digger/core'
import type { KisSocket, KisSocketObserver, Notice, SocketState, Tick } from '@digger/kis'
import type { SocketStatus } from '../accounts.ts'
import type { TradingConditions } from '../conditions.ts'
import type { Observers } from '../observer.ts'
import type { AccountMailbox } from './mailbox.ts'

export interface AccountSocketParts {
  readonly userId: string
  readonly mailbox: Pick<AccountMailbox, 'book' | 'post'>
  readonly conditions: Pick<TradingConditions, 'clock' | 'prices' | 'timetables'>
  readonly observers: Pick<Observers, 'socketChanged'>
  readonly problem: (userId: string, error: unknown) => void
}

/** The broker's socket of one account: passes on what it brings. When it last did what is kept for people, epoch ms of the market. */
export class AccountSocket implements KisSocketObserver {
  readonly #parts: AccountSocketParts
  #socket: KisSocket | null = null
  #connectedAt: number | null = null
  #disconnectedAt: number | null = null
  #orderedAt: number | null = null
  #updatedAt: number | null = null
  #isUp = false
  /** KST day. */
  #renewedOn = ''
  #renewing = false
  /** Whether another connection holds the key, as last seen. */
  #held = false
  readonly #pricedAt = new Map<string, number>()
  /** Sockets that are being closed by us: no trouble to report. */
  readonly #closing = new Set<KisSocket>()

  constructor(parts: AccountSocketParts) {
    this.#parts = parts
  }

  attach(socket: KisSocket): void {
    this.#socket = socket
    socket.observe(this)
  }

  /** About once a second. */
  tick(): void {
    this.#renewKey()
    const held = this.#socket?.heldElsewhere ?? false
    if (held && !this.#held) this.#parts.mailbox.post({ kind: 'keyHeld' })
    this.#held = held
  }

  /** Whether the socket connects with the key of the day just now. */
  get isRenewing(): boolean {
    return this.#renewing
  }

  get isConnected(): boolean {
    return this.#socket?.state === 'connected'
  }

  /** For the morning check. */
  get line(): MorningFacts['socket'] {
    const since = this.isConnected ? this.#connectedAt : this.#disconnectedAt
    const wanted = this.#socket?.isWanted === true
    return { connected: this.isConnected, wanted, since, receivedAt: this.#orderedAt }
  }

  /** The broker refused the key or the HTS ID, or gave no key that opens notices, and has taken no registration since. */
  get isRefused(): boolean {
    return !this.isConnected && this.#socket?.isRefused === true
  }

  /** It should be connected and is not, whatever the cause. */
  get isMissing(): boolean {
    return this.#socket !== null && this.#socket.isWanted && this.#socket.state !== 'connected'
  }

  /** Once a trading day, before its first session, each account at a minute of its own. */
  #renewKey(): void {
    const socket = this.#socket
    const { userId, conditions } = this.#parts
    const day = dayToPrepare(userId, conditions.clock.now(), conditions.timetables.current)
    if (socket?.state !== 'connected' || day === null || this.#renewedOn === day) return
    this.#renewedOn = day
    this.#closing.add(socket)
    const done = socket.renewKey()
    this.#renewing = this.isMissing
    void done.catch((error: unknown) => this.#parts.problem(userId, error)).finally(() => this.#closing.delete(socket))
  }

  /** The account has no socket from this turn on; resolves when it is closed. */
  async detach(): Promise<void> {
    const socket = this.#socket
    this.#socket = null
    if (socket !== null) await this.#close(socket)
  }

  /** A person wants no socket; the broker stays. */
  async disconnect(): Promise<void> {
    if (this.#socket !== null) await this.#close(this.#socket)
  }

  async #close(socket: KisSocket): Promise<void> {
    this.#renewing = false
    this.#closing.add(socket)
    try {
      await socket.close()
    } finally {
      this.#closing.delete(socket)
    }
  }

  status(): SocketStatus {
    const { stocks } = this.#parts.mailbox.book
    const watched = this.#socket?.watched ?? new Set<string>()
    return {
      connected: this.isConnected,
      refused: this.isRefused,
      connectedAt: this.#connectedAt,
      orderedAt: this.#orderedAt,
      disconnectedAt: this.#disconnectedAt,
      updatedAt: this.#updatedAt,
      stocks: [...watched].sort().map((code) => ({
        code,
        name: stocks.get(code)?.name ?? code,
        updatedAt: this.#pricedAt.get(code) ?? null,
      })),
    }
  }

  tickReceived(tick: Tick): void {
    const { clock, prices } = this.#parts.conditions
    this.#updatedAt = clock.now()
    this.#pricedAt.set(tick.code, this.#updatedAt)
    prices.tickReceived(tick, this.#socket)
  }

  noticeReceived(notice: Notice): void {
    const { conditions, mailbox } = this.#parts
    this.#orderedAt = conditions.clock.now()
    const filledCount = notice.kind === 'filled' ? notice.count : 0
    // A refused change leaves its order as it was.
    const refused = notice.kind === 'rejected' && notice.originalOdno === null
    mailbox.post({ kind: 'notice', odno: notice.odno, filledCount, refused })
  }

  stateChanged(state: SocketState, why: string, socket: KisSocket): void {
    const { userId, conditions, mailbox, observers, problem } = this.#parts
    if (state === 'connecting') return
    this.#renewing = false
    // A try that failed missed nothing: what was read since the last gap still counts.
    const isGap = state === 'connected' || this.#isUp
    this.#isUp = state === 'connected'
    if (state === 'connected') {
      this.#connectedAt = conditions.clock.now()
      mailbox.post({ kind: 'linked' })
    } else {
      this.#disconnectedAt = conditions.clock.now()
      if (!this.#closing.has(socket)) problem(userId, new Error(`socket: ${why}`))
    }
    if (isGap) conditions.prices.gap(mailbox.book.stocks.keys())
    observers.socketChanged(userId, state === 'connected')
  }
}
