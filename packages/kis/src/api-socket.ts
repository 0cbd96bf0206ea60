import type { KisSide, MarketOf } from './api.ts'

export interface Tick {
  readonly code: string
  readonly venue: MarketOf
  readonly price: number
  /** HHMMSS KST as an integer, e.g. 93354. */
  readonly time: number
  /** Day open, high, low, cumulative volume. */
  readonly open: number
  readonly high: number
  readonly low: number
  readonly volume: number
  /** Base price of the day = price − change. */
  readonly base: number
  /** A real trade; false for expected prices of an auction or a VI. */
  readonly trade: boolean
  /** Orders only collect, in hours of trading: an expected price of a volatility interruption, or of one price every half hour. */
  readonly collects?: boolean
  readonly halted: boolean
}

/** A notice says "something happened to this order": a hint to read the ledger, never a booking. */
export interface Notice {
  readonly accountNumber: string
  readonly odno: string
  readonly originalOdno: string | null
  readonly code: string
  readonly side: KisSide
  readonly kind: 'accepted' | 'changeReceived' | 'changeConfirmed' | 'filled' | 'rejected' | 'iocCancelled'
  /** Fill: shares of this fill. Receipts: order count. */
  readonly count: number
  readonly price: number
}

export type SocketState = 'disconnected' | 'connecting' | 'connected'

/** What an observer of the socket is called for, in the turn in which it happened. One that throws hurts neither others nor the socket. */
export interface KisSocketObserver {
  tickReceived?(tick: Tick): void
  noticeReceived?(notice: Notice): void
  /** `connected` once `socket` is open and its notice channel acknowledged. */
  stateChanged?(state: SocketState, why: string, socket: KisSocket): void
  /** The broker's own time by its PINGPONG, a whole second, epoch ms. */
  timeReceived?(at: number): void
  /** Frames or acks that could not be used, and what observers threw. */
  problemFound?(error: Error): void
}

/** The one socket of an app key. Reconnects by itself with bounded back-off and restores what was wanted. */
export interface KisSocket {
  readonly state: SocketState
  /** Whether it should be connected: from `connect` until `close`. */
  readonly isWanted: boolean
  /** The broker said that another connection holds the key, and again after more than `releaseMs`: none of ours can be it any more. */
  readonly heldElsewhere: boolean
  /** At the last try that it answered the broker refused the app key or the HTS ID, or gave no key that opens notices. */
  readonly isRefused: boolean
  /** Codes that have a live registration now. */
  readonly watched: ReadonlySet<string>
  /** Since when this connection has been bringing every trade of the stock there, `performance.now()`; null: it does not. */
  watchedSince(code: string, market: MarketOf): number | null
  /** How many frames arrived so far, of any kind, over all connections. */
  readonly frames: number
  /** How many registrations were sent and have no reply yet. */
  readonly unanswered: number
  observe(observer: KisSocketObserver): void
  connect(): Promise<void>
  /**
   * What should be watched, most important first; 40 codes fit beside the notices (41 registrations).
   * Changes only what differs. The rest must be polled. `marketOf`: whose ticks, default KRX's; the unified channel brings
   * nothing for stocks that NXT does not trade.
   */
  watch(codes: readonly string[], marketOf?: (code: string) => MarketOf): void
  /**
   * Connects anew with a fresh approval key, when the one it connected with would not last until tonight: a registration with an
   * expired key ends the connection. For an hour in which nobody misses prices. Nothing happens to a socket that is not connected.
   */
  renewKey(): Promise<void>
  close(): Promise<void>
}
