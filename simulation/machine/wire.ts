import type { Dice } from './dice.ts'
import type { Line } from './network.ts'
import type { SimSocket } from './socket.ts'
import type { World } from './world.ts'

/** One-way latency between two machines, ms. */
const LATENCY_MS = [0.2, 3] as const
/** A kernel sends again after this, doubling up to two minutes. */
const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 120_000
/** It gives up on a living connection after 15 tries, on one whose program is gone after 8 (Linux; decision 019), ms. */
const PATIENCE_MS = { living: 924_000, orphan: 100_000 } as const

type Packet = Buffer | 'end'

/** One direction of a connection, with the kernel at its sending side: what was written to it, it delivers, in order. */
export class Wire {
  readonly #world: World
  readonly #line: Line
  readonly #from: SimSocket
  readonly #to: SimSocket
  readonly #dice: Dice
  readonly #unsent: Packet[] = []
  #lastArrival = 0
  #retryMs = FIRST_RETRY_MS
  #retrying = false
  /** Since when nothing came through, ms; null while it does. */
  #stuckSince: number | null = null
  #over = false

  constructor(world: World, line: Line, from: SimSocket, to: SimSocket, dice: Dice) {
    this.#world = world
    this.#line = line
    this.#from = from
    this.#to = to
    this.#dice = dice
  }

  /** Bytes that the kernel holds, because nothing comes through. */
  get heldBytes(): number {
    return this.#unsent.reduce((sum, packet) => sum + (packet === 'end' ? 0 : packet.length), 0)
  }

  send(packet: Packet): void {
    if (this.#over) return
    if (this.#unsent.length > 0 || this.#line.cut) {
      this.#unsent.push(packet)
      this.#stuckSince ??= this.#world.now
      this.#retry()
      return
    }
    if (packet !== 'end' && packet.length > 1 && this.#dice.chance(this.#line.inParts)) {
      const cut = this.#dice.whole(1, packet.length - 1)
      this.#deliver(packet.subarray(0, cut))
      this.#deliver(packet.subarray(cut), this.#dice.between(0, 5))
      return
    }
    this.#deliver(packet)
  }

  #deliver(packet: Packet, extra = 0): void {
    const latency = this.#dice.between(...LATENCY_MS) + this.#line.lateMs + extra
    // Bytes never overtake each other.
    const at = Math.max(this.#world.now + latency, this.#lastArrival)
    this.#lastArrival = at
    this.#world.at(at, this.#to.process, () => {
      if (!this.#over) this.#to.arrived(packet)
    })
  }

  #retry(): void {
    if (this.#retrying || this.#over) return
    this.#retrying = true
    this.#world.after(this.#retryMs, null, () => {
      this.#retrying = false
      this.#tryAgain()
    })
  }

  /** The kernel's own: neither a pause of the process nor its end keeps it from sending. */
  #tryAgain(): void {
    if (this.#over) return
    if (!this.#line.cut) {
      this.#retryMs = FIRST_RETRY_MS
      this.#stuckSince = null
      for (const packet of this.#unsent.splice(0)) this.#deliver(packet)
      this.#from.drained()
      return
    }
    const patience = this.#from.isOrphan ? PATIENCE_MS.orphan : PATIENCE_MS.living
    if (this.#world.now - (this.#stuckSince ?? this.#world.now) > patience) {
      this.drop()
      this.#world.after(0, this.#from.process, () => this.#from.failed('ETIMEDOUT'))
      return
    }
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS)
    this.#retry()
  }

  /** A reset: what was not delivered is forgotten, and the other side is told, once, if it can be reached. */
  reset(): void {
    if (this.#over) return
    this.drop()
    if (this.#line.cut) return this.#to.abandoned()
    this.#world.after(this.#dice.between(...LATENCY_MS) + this.#line.lateMs, this.#to.process, () =>
      this.#to.failed('ECONNRESET'),
    )
  }

  drop(): void {
    this.#over = true
    this.#unsent.length = 0
  }
}
