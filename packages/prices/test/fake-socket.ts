import type { KisSocket, KisSocketObserver, MarketOf, SocketState } from '@digger/kis'

/** Traded so far, of all stocks: two sockets never bring the same trade. */
let shares = 0

/** A socket that does what the test says: connecting and closing wait for it where it wants to see them under way. */
export class FakeSocket implements KisSocket {
  state: SocketState = 'disconnected'
  isWanted = false
  heldElsewhere = false
  isRefused = false
  readonly watched = new Set<string>()
  readonly wanted: string[][] = []
  /** Whose ticks were wanted last, stock by stock. */
  markets: MarketOf[] = []
  frames = 0
  unanswered = 0
  connects = 0
  closes = 0
  renewals = 0
  /** What the next `connect` and `close` wait for. */
  connecting: Promise<void> = Promise.resolve()
  closing: Promise<void> = Promise.resolve()
  #connectedAt = 0
  readonly #observers: KisSocketObserver[] = []

  /** Since the socket was connected last. */
  watchedSince(code: string): number | null {
    return this.state === 'connected' && this.wanted.at(-1)?.includes(code) ? this.#connectedAt : null
  }

  observe(observer: KisSocketObserver): void {
    this.#observers.push(observer)
  }

  async connect(): Promise<void> {
    this.connects += 1
    this.isWanted = true
    await this.connecting
    this.turn('connected')
  }

  watch(codes: readonly string[], marketOf: (code: string) => MarketOf = () => 'KRX'): void {
    this.wanted.push([...codes])
    this.markets = codes.map(marketOf)
  }

  async renewKey(): Promise<void> {
    this.renewals += 1
    this.turn('disconnected', 'a new key')
    await this.connecting
    this.turn('connected')
  }

  async close(): Promise<void> {
    this.closes += 1
    this.isWanted = false
    this.turn('disconnected', 'closed by us')
    await this.closing
  }

  turn(state: SocketState, why = 'the test says so'): void {
    if (state === this.state) return
    this.state = state
    if (state === 'connected') this.#connectedAt = performance.now()
    for (const observer of this.#observers) observer.stateChanged?.(state, why, this)
  }

  /** A trade; `trade: false` is the expected price of an auction. */
  /** Each is another trade. */
  tick(code: string, price: number, trade = true): void {
    const day = { open: price, high: price, low: price, volume: (shares += 1), base: 71_000 }
    const tick = { code, venue: 'KRX', price, time: 100_000, ...day, trade, halted: false } as const
    for (const observer of this.#observers) observer.tickReceived?.(tick)
  }

  notice(odno: string, kind: 'accepted' | 'filled', count: number): void {
    const order = { accountNumber: '1234567801', odno, originalOdno: null, code: '005930', side: 'buy' } as const
    const notice = { ...order, kind, count, price: 70_000 } as const
    for (const observer of this.#observers) observer.noticeReceived?.(notice)
  }
}
