import type { Dice } from './dice.ts'
import type { Process } from './process.ts'
import type { Timeline } from './timeline.ts'

/** One-way latency between two machines, ms. */
const LATENCY_MS = [0.2, 3] as const
/** A kernel sends again after this, doubling up to two minutes. */
const FIRST_RETRY_MS = 200
const MAX_RETRY_MS = 120_000
/** It gives up on a living connection after 15 tries, on one whose program is gone after 8 (Linux; decision 019), ms. */
const RETRY_TIMEOUT_MS = { living: 924_000, orphan: 100_000 } as const
/** An operator may have it give up as soon on a living one (decision 018). */
const QUICK_TRIES = 8

export type Packet = Buffer | 'end' | 'reset'

/** What happens to whatever travels between two processes, by their names. */
export interface Line {
  /** Nothing comes through; the kernels go on trying. */
  cut: boolean
  /** Added to every delivery, ms. */
  lateMs: number
  /** The share of deliveries that come in parts. */
  inParts: number
}

/** The kernel at either side. */
export interface WireEnd {
  readonly process: Process
  readonly userTimeoutMs: number
  readonly isOrphan: boolean
  received(packet: Packet): void
  acknowledged(): void
  gaveUp(): void
}

interface Numbered {
  readonly number: number
  readonly packet: Buffer | 'end'
}

/**
 * One direction of a connection, with the kernel at its sending side: what was written to it, it delivers, in order, and
 * sends again what was lost on a line that is cut. What is on its way when a connection is reset arrives all the same.
 */
export class Wire {
  readonly #simulation: Timeline
  readonly #line: Line
  readonly #from: WireEnd
  readonly #to: WireEnd
  readonly #dice: Dice
  /** Not delivered, because nothing came through; in their order. */
  readonly #lost: Numbered[] = []
  #count = 0
  #underway = 0
  #lastArrival = 0
  #retryMs = FIRST_RETRY_MS
  #retrying = false
  /** Since when nothing came through, ms; null while it does. */
  #stuckSince: number | null = null
  #over = false

  constructor(simulation: Timeline, line: Line, from: WireEnd, to: WireEnd, dice: Dice) {
    this.#simulation = simulation
    this.#line = line
    this.#from = from
    this.#to = to
    this.#dice = dice
  }

  /** Bytes that the other side's kernel has not acknowledged. */
  get unacknowledged(): number {
    return this.#underway
  }

  /** Whether anything comes through: a machine that sleeps neither sends nor takes. */
  get open(): boolean {
    return !this.#line.cut && this.#from.process.asleepSince === null && this.#to.process.asleepSince === null
  }

  send(packet: Buffer | 'end'): void {
    if (this.#over) return
    if (packet !== 'end') this.#underway += packet.length
    if (packet !== 'end' && packet.length > 1 && this.#dice.chance(this.#line.inParts)) {
      const cut = this.#dice.whole(1, packet.length - 1)
      this.#put(packet.subarray(0, cut))
      this.#put(packet.subarray(cut), this.#dice.between(0, 5))
    } else this.#put(packet)
  }

  #put(packet: Buffer | 'end', extraMs = 0): void {
    const one = { number: (this.#count += 1), packet }
    if (this.#lost.length > 0 || !this.open) this.#lose(one)
    else this.#deliver(one, extraMs)
  }

  #deliver(one: Numbered, extraMs = 0): void {
    this.#simulation.at(this.#arrival(extraMs), null, () => this.#arrive(one))
  }

  /** Bytes never overtake each other. */
  #arrival(extraMs: number): number {
    const latency = this.#dice.between(...LATENCY_MS) + this.#line.lateMs + extraMs
    this.#lastArrival = Math.max(this.#simulation.now + latency, this.#lastArrival)
    return this.#lastArrival
  }

  #arrive(one: Numbered): void {
    const { number, packet } = one
    const isBehind = this.#lost.some((lost) => lost.number < number)
    if (isBehind || !this.open) {
      if (!this.#over) this.#lose(one)
      return
    }
    if (packet !== 'end') this.#underway -= packet.length
    this.#stuckSince = null
    this.#to.received(packet)
    this.#from.acknowledged()
  }

  #lose(one: Numbered): void {
    const at = this.#lost.findIndex(({ number }) => number > one.number)
    this.#lost.splice(at === -1 ? this.#lost.length : at, 0, one)
    this.#stuckSince ??= this.#simulation.now
    this.#retry()
  }

  /** The kernel's own: neither a pause of the process nor its end keeps it from sending. */
  #retry(): void {
    if (this.#retrying || this.#over) return
    this.#retrying = true
    this.#simulation.after(this.#retryMs, null, () => {
      this.#retrying = false
      this.#tryAgain()
    })
  }

  #tryAgain(): void {
    if (this.#over || this.#lost.length === 0) return
    if (this.open) {
      this.#retryMs = FIRST_RETRY_MS
      for (const one of this.#lost.splice(0)) this.#deliver(one)
      return
    }
    if (this.#from.process.asleepSince === null) {
      const since = this.#stuckSince ?? this.#simulation.now
      if (this.#simulation.now - since > this.#retryTimeoutMs) return this.#from.gaveUp()
      this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS)
    }
    this.#retry()
  }

  get #retryTimeoutMs(): number {
    const { userTimeoutMs, isOrphan } = this.#from
    if (isOrphan || this.#from.process.tcpTries <= QUICK_TRIES) return RETRY_TIMEOUT_MS.orphan
    return userTimeoutMs > 0 ? userTimeoutMs : RETRY_TIMEOUT_MS.living
  }

  /** What was not delivered is forgotten, but for what is on its way. */
  drop(): void {
    this.#over = true
    this.#lost.length = 0
  }

  /** Forgets, and tells the other side: once, and never again when it is lost. */
  reset(): void {
    this.drop()
    if (!this.open) return
    this.#simulation.at(this.#arrival(0), null, () => {
      if (this.open) this.#to.received('reset')
    })
  }
}
