import type { Process } from './process.ts'
import type { Packet, Wire, WireEnd } from './wire.ts'
import type { Timeline } from './timeline.ts'

/** Why a connection is over: the other side's reset, or nothing was heard of it. */
export type Breach = 'ECONNRESET' | 'ETIMEDOUT'

/** What a program finds at its end of a connection: bytes, their end, or that the connection is over. */
export type Arrived = Buffer | 'end' | Breach

/** The program's part of an end. */
export interface EndUser {
  /** Something has arrived. */
  arrived(): void
  /** The kernel has room again. */
  drained(): void
}

/** So much do the kernels of both sides take before a writer has to wait, bytes. */
const ROOM = 1_000_000

/** Node asks for so much at a time, bytes (libuv). */
const READ_BYTES = 65_536

export interface KeepAlive {
  /** After so long without a word the kernel asks, ms. */
  readonly idleMs: number
  readonly everyMs: number
  readonly tries: number
}

/**
 * The kernel's part of one end of a connection. It lives as long as the connection: a program that stands still, has closed,
 * or is gone does not keep it from taking bytes, acknowledging them, and delivering what was written.
 */
export class TcpEnd implements WireEnd {
  readonly process: Process
  readonly #simulation: Timeline
  readonly #user: EndUser
  #out: Wire | null = null
  #peer: TcpEnd | null = null
  readonly #arrived: Arrived[] = []
  #unread = 0
  /** Its program does not use it any more. */
  #closed = false
  /** Nothing is known of this connection here: whoever sends is answered with a reset. */
  #over = false
  #blocked = false
  #receivedAt = 0
  #keepAlive: KeepAlive | null = null
  #watching = false
  #userTimeoutMs = 0

  constructor(simulation: Timeline, process: Process, user: EndUser) {
    this.#simulation = simulation
    this.process = process
    this.#user = user
  }

  join(peer: TcpEnd, out: Wire): void {
    this.#peer = peer
    this.#out = out
    this.#receivedAt = this.#simulation.now
    this.#watch()
  }

  get isOrphan(): boolean {
    return this.#closed
  }

  /** After so long without an acknowledgement the connection is given up, ms; 0: as the kernel does by itself. */
  get userTimeoutMs(): number {
    return this.#userTimeoutMs
  }

  get isOver(): boolean {
    return this.#over
  }

  /** False when the writer has to wait for `drained`. */
  send(bytes: Buffer): boolean {
    this.#out?.send(bytes)
    this.#blocked = this.#held > ROOM
    return !this.#blocked
  }

  get #held(): number {
    return (this.#out?.unacknowledged ?? 0) + (this.#peer?.unread ?? 0)
  }

  get unread(): number {
    return this.#unread
  }

  /** Nothing more is going to be written. */
  sendEnd(): void {
    this.#out?.send('end')
  }

  /** What arrived first; null: nothing. */
  take(): Arrived | null {
    const first = this.#arrived.shift()
    if (first === undefined) return null
    if (!Buffer.isBuffer(first)) return first
    const part = first.subarray(0, READ_BYTES)
    if (part.length < first.length) this.#arrived.unshift(first.subarray(READ_BYTES))
    this.#unread -= part.length
    this.#peer?.acknowledged()
    return part
  }

  get hasArrived(): boolean {
    return this.#arrived.length > 0
  }

  /** The program lets go of it, or is gone. As Linux does: a reset when it had not read everything. */
  close(isEnded: boolean, resets: boolean): void {
    if (this.#closed) return
    this.#closed = true
    if (this.#over) return
    if (resets || this.#unread > 0) this.#refuse()
    else if (!isEnded) this.#out?.send('end')
  }

  #refuse(): void {
    this.#over = true
    this.#out?.reset()
  }

  /** From the other side's kernel. */
  received(packet: Packet): void {
    if (this.#over) {
      if (packet !== 'reset') this.#out?.reset()
      return
    }
    this.#receivedAt = this.#simulation.now
    if (packet === 'reset') return this.#break('ECONNRESET')
    if (this.#closed) {
      if (packet !== 'end') this.#refuse()
      return
    }
    if (packet !== 'end') this.#unread += packet.length
    this.#report(packet)
  }

  /** Sent again and again, and never acknowledged. */
  gaveUp(): void {
    this.#break('ETIMEDOUT')
  }

  #break(how: Breach): void {
    if (this.#over) return
    this.#over = true
    this.#out?.drop()
    if (!this.#closed) this.#report(how)
  }

  #report(what: Arrived): void {
    this.#arrived.push(what)
    const { process } = this
    if (process.pausedSince === null) this.#simulation.as(process, () => this.#user.arrived())
    else this.#simulation.after(0, process, () => this.#user.arrived())
  }

  /** The other side's kernel, or its program, has taken bytes. */
  acknowledged(): void {
    this.#receivedAt = this.#simulation.now
    if (!this.#blocked || this.#held > ROOM) return
    this.#blocked = false
    this.#simulation.after(0, this.process, () => this.#user.drained())
  }

  /** The kernel asks from time to time whether the other side is still there. */
  keepAlive(how: KeepAlive, userTimeoutMs = 0): void {
    this.#keepAlive = how
    this.#userTimeoutMs = userTimeoutMs
    this.#watch()
  }

  #watch(afterMs = 0): void {
    if (this.#keepAlive === null || this.#peer === null || this.#watching || this.#over || this.#closed) return
    this.#watching = true
    const due = afterMs > 0 ? this.#simulation.now + afterMs : this.#receivedAt + this.#keepAlive.idleMs
    this.#simulation.at(due, null, () => {
      this.#watching = false
      this.#ask()
    })
  }

  #ask(): void {
    const { now } = this.#simulation
    const how = this.#keepAlive
    if (how === null || this.#over || this.#closed) return
    // What is not acknowledged is sent again, which asks as well; a machine that sleeps asks nobody.
    if (now < this.#receivedAt + how.idleMs || this.process.asleepSince !== null) return this.#watch(how.everyMs)
    if ((this.#out?.unacknowledged ?? 0) > 0) return this.#watch(how.everyMs)
    if (this.#out?.open) {
      if (this.#peer?.isOver) return this.#break('ECONNRESET')
      this.#receivedAt = now
      return this.#watch()
    }
    const patience = this.userTimeoutMs > 0 ? this.userTimeoutMs : how.idleMs + how.everyMs * how.tries
    if (now - this.#receivedAt >= patience) this.#break('ETIMEDOUT')
    else this.#watch(how.everyMs)
  }
}
