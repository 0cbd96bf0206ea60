import type { WebSocket } from 'ws'
import type { Account } from '../ledger/account.ts'
import type { Broker } from '../broker/broker.ts'

/** A client that reads slower than the market moves is cut off before its backlog fills the memory. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024

export interface Registration {
  readonly trId: string
  readonly key: string
  /** AES key and vector of this registration on this socket: 32 and 16 ASCII characters. */
  readonly iv: string
  readonly secret: string
}

export const slot = (trId: string, key: string): string => `${trId} ${key}`

/** One connected client. */
export class Session {
  readonly registrations = new Map<string, Registration>()
  /** The account is known from the first registration on. */
  account: Account | null = null
  framesSent = 0
  readonly #socket: WebSocket
  readonly #broker: Broker
  #frozen = false
  /** When the oldest unanswered PINGPONG went out. */
  #unansweredSince: number | null = null
  #stopPings: () => void = () => undefined

  constructor(socket: WebSocket, broker: Broker) {
    this.#socket = socket
    this.#broker = broker
    const onSign = (): void => {
      this.#unansweredSince = null
    }
    for (const sign of ['message', 'ping', 'pong'] as const) socket.on(sign, onSign)
    socket.on('close', () => this.#stopPings())
    // A broken client must not bring the exchange down; its close event does the rest.
    socket.on('error', () => undefined)
    this.#ping()
  }

  send(text: string | Buffer): void {
    const fault = this.#frozen ? null : this.#broker.faults.socket(this.account?.number ?? null)
    if (fault) this[fault.kind]()
    if (this.#frozen || this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > MAX_UNREAD_BYTES) {
      this.cut()
      return
    }
    this.framesSent++
    this.#socket.send(text, { binary: false })
  }

  /** Ends the connection without a close frame: the client sees 1006. */
  cut(): void {
    this.#socket.terminate()
  }

  close(): void {
    this.#socket.close(1000)
  }

  get isFrozen(): boolean {
    return this.#frozen
  }

  /** Leaves the connection open, sends nothing more and answers nothing, not even a protocol ping. */
  freeze(): void {
    this.#frozen = true
    this.#socket.pause()
  }

  #ping(): void {
    const { clock, dice, assumed, timeScale } = this.#broker
    this.#stopPings = clock.after(dice.within(assumed.decide('pingPongMs')) * timeScale(), () => {
      const datetime = pingTime(clock.now())
      this.send(JSON.stringify({ header: { tr_id: 'PINGPONG', datetime } }))
      this.#expectAnswer(clock.now())
      this.#ping()
    })
  }

  #expectAnswer(now: number): void {
    if (this.#unansweredSince !== null) return
    this.#unansweredSince = now
    const { clock, assumed, timeScale } = this.#broker
    clock.after(assumed.decide('pongTimeoutMs') * timeScale(), () => {
      if (this.#unansweredSince === now) this.cut()
    })
  }
}

/** `YYYYMMDDHHMMSS` in Korea. */
const pingTime = (ms: number): string => new Date(ms + 9 * 3_600_000).toISOString().replaceAll(/\D/g, '').slice(0, 14)
