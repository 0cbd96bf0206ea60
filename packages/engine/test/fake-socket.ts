import type { KisSocket, KisSocketEvents, SocketState } from '@digger/kis'

type Listeners = { [K in keyof KisSocketEvents]: KisSocketEvents[K][] }

/** A socket that does what the test says: connecting and closing wait for it where it wants to see them under way. */
export class FakeSocket implements KisSocket {
  state: SocketState = 'disconnected'
  readonly watched = new Set<string>()
  readonly wanted: string[][] = []
  frames = 0
  unanswered = 0
  connects = 0
  closes = 0
  /** What the next `connect` and `close` wait for. */
  connecting: Promise<void> = Promise.resolve()
  closing: Promise<void> = Promise.resolve()
  readonly #listeners: Listeners = { tick: [], notice: [], state: [], time: [], problem: [] }

  on<K extends keyof KisSocketEvents>(event: K, listener: KisSocketEvents[K]): void {
    this.#listeners[event].push(listener)
  }

  async connect(): Promise<void> {
    this.connects += 1
    await this.connecting
    this.turn('connected')
  }

  watch(codes: readonly string[]): void {
    this.wanted.push([...codes])
  }

  async close(): Promise<void> {
    this.closes += 1
    this.turn('disconnected', 'closed by us')
    await this.closing
  }

  turn(state: SocketState, why = 'the test says so'): void {
    if (state === this.state) return
    this.state = state
    for (const listener of this.#listeners.state) listener(state, why)
  }

  /** A trade; `trade: false` is the expected price of an auction. */
  tick(code: string, price: number, trade = true): void {
    const day = { open: price, high: price, low: price, volume: 1, base: price }
    for (const listener of this.#listeners.tick)
      listener({ code, venue: 'KRX', price, time: 100_000, ...day, trade, halted: false })
  }

  notice(odno: string, kind: 'accepted' | 'filled', count: number): void {
    const order = { accountNumber: '1234567801', odno, originalOdno: null, code: '005930', side: 'buy' } as const
    for (const listener of this.#listeners.notice) listener({ ...order, kind, count, price: 70_000 })
  }
}
