import { type Clock, realClock } from '@digger/database'

/** Whole seconds and the way here explain a difference of one or two; more is a wrong clock, ms. */
const TOLERANCE_MS = 3_000
/** One answer of the broker may have been long on its way: a second, at least this much later, must say the same, ms. */
const CONFIRM_AFTER_MS = 1_500
/** Two answers say the same when they differ by no more than this, ms. */
const SAME_WITHIN_MS = 2_000
/** The Date of a reply that took longer than this is a time that has passed, ms. */
const PROMPT_MS = 1_500
/**
 * Nobody has published whether the broker's replies carry a Date, and its PINGPONG comes within a minute, where there is a socket. Where
 * neither comes for so long the machine's own clock has to do, ms.
 */
const UNTOLD_MS = 90_000
/** Setting the clock makes every account compare anew; a broker whose time runs wild must not keep them at that, ms. */
const SET_INTERVAL_MS = 60_000

/** The market's time. Where it follows the broker's it can be set; a simulation's cannot. */
export interface MarketClock extends Clock {
  /** Whether it has been held against the broker's since the process began; a simulation's has no need to be. */
  readonly isKnown?: boolean
  /** By how much the broker's clock is ahead, ms, where it has said so twice and that may not be taken over yet; null: it is not. */
  readonly offMs?: number | null
  /** By how much the machine's clock is ahead, ms; null: the broker has said no time. */
  readonly machineAheadMs?: number | null
  /**
   * The broker says that it is this second, epoch ms, or was up to `ageMs` ago; null: nobody knows how long ago. A `second` of null: it
   * replied, and said none.
   */
  adjust?(second: number | null, ageMs: number | null): void
  /** The listener is called after the clock was set, with by how much, ms. */
  onSet?(listener: (byMs: number) => void): void
}

/**
 * The time trading goes by. It starts as the machine's, then runs evenly: a machine whose clock jumps changes nothing.
 * The broker's clock (the Date of its answers, the time in its PINGPONG) sets it right when it is off, for order times are compared with the
 * broker's and sessions end by the exchange's clock. A machine may begin with a time that is hours off: the first prompt reply sets it,
 * and until then nothing is known of the time.
 */
export class SteadyClock implements MarketClock {
  /** Epoch ms when the process' own even clock was at 0. */
  #base: number
  #isKnown = false
  #isTold = false
  #offMs: number | null = null
  /** When a reply first said no time. */
  #untoldAt: number | null = null
  #doubt: { readonly off: number; readonly at: number } | null = null
  #setAt = Number.NEGATIVE_INFINITY
  readonly #wall: () => number
  readonly #even: () => number
  readonly #listeners = new Set<(byMs: number) => void>()

  constructor(wall: () => number = Date.now, even: () => number = () => performance.now()) {
    this.#wall = wall
    this.#even = even
    this.#base = wall() - even()
  }

  get isKnown(): boolean {
    return this.#isKnown
  }

  get offMs(): number | null {
    return this.#offMs
  }

  get machineAheadMs(): number | null {
    return this.#isTold ? Math.round(this.#wall() - this.now()) : null
  }

  now(): number {
    return Math.floor(this.#base + this.#even())
  }

  after(ms: number, run: () => void): () => void {
    return realClock.after(ms, run)
  }

  /** Called after the clock was set, with by how much, ms. */
  onSet(listener: (byMs: number) => void): void {
    this.#listeners.add(listener)
  }

  adjust(second: number | null, ageMs: number | null): void {
    const at = this.#even()
    if (second === null) {
      this.#untoldAt ??= at
      if (at - this.#untoldAt >= UNTOLD_MS) this.#isKnown = true
      return
    }
    const off = second + 500 - this.now()
    if (!Number.isFinite(off)) return
    this.#isTold = true
    const isSlow = ageMs !== null && ageMs > PROMPT_MS
    if (off <= TOLERANCE_MS && off >= -TOLERANCE_MS - (isSlow ? ageMs : 0)) {
      this.#isKnown = true
      if (!isSlow) this.#doubt = this.#offMs = null
      return
    }
    if (isSlow) return
    if (!this.#isKnown && ageMs !== null) return this.#set(off)
    const before = this.#doubt
    if (before === null || Math.abs(before.off - off) > SAME_WITHIN_MS) {
      this.#doubt = { off, at }
      // One that says something else each time has said nothing twice.
      this.#offMs = null
      return
    }
    if (at - before.at < CONFIRM_AFTER_MS) return
    this.#offMs = off
    if (at - this.#setAt < SET_INTERVAL_MS) return
    this.#setAt = at
    this.#set(off)
  }

  #set(off: number): void {
    this.#isKnown = true
    this.#doubt = this.#offMs = null
    this.#base += off
    for (const listener of this.#listeners) listener(off)
  }
}
