import type { Dice } from './dice.ts'
import { Wire } from './wire.ts'
import type { Process } from './process.ts'
import type { SimSocket } from './socket.ts'
import type { World } from './world.ts'

/** Takes the connections of a port. */
export interface Listener {
  readonly process: Process
  readonly accept: (socket: SimSocket) => void
}

/** What happens to whatever travels between two processes, by their names. */
export interface Line {
  /** Nothing comes through; the kernels go on trying. */
  cut: boolean
  /** Added to every delivery, ms. */
  lateMs: number
  /** The share of deliveries that come in parts. */
  inParts: number
}

/** A kernel without an answer to its first packet tries again after these, ms, then gives the connection up. */
const CONNECT_RETRIES_MS = [1_000, 3_000, 7_000, 15_000, 31_000, 63_000]
const CONNECT_TIMEOUT_MS = 127_000

/** Ports, and the lines between processes. */
export class Network {
  readonly #world: World
  readonly #listeners = new Map<number, Listener>()
  readonly #lines = new Map<string, Line>()
  readonly dice: Dice
  /** Sees what programs write, in the turn they write it. */
  tap: (socket: SimSocket, bytes: Buffer) => void = () => undefined
  #wires = 0

  constructor(world: World) {
    this.#world = world
    this.dice = world.dice('network')
  }

  get world(): World {
    return this.#world
  }

  /** The line between two processes, whichever of them is named first. */
  line(one: string, other: string): Line {
    const key = one < other ? `${one} ${other}` : `${other} ${one}`
    let line = this.#lines.get(key)
    if (line === undefined) this.#lines.set(key, (line = { cut: false, lateMs: 0, inParts: 0.02 }))
    return line
  }

  /** False when the port is taken. */
  listen(port: number, listener: Listener): boolean {
    if (this.#listeners.get(port)?.process.alive) return false
    this.#listeners.set(port, listener)
    listener.process.ports.add(port)
    return true
  }

  unlisten(port: number): void {
    this.#listeners.get(port)?.process.ports.delete(port)
    this.#listeners.delete(port)
  }

  connect(socket: SimSocket, port: number, attempt = 0): void {
    const from = socket.process
    const listener = this.#listeners.get(port)
    const world = this.#world
    const line = this.line(from.name, listener?.process.name ?? 'nowhere')
    if (socket.destroyed || !from.alive) return
    if (line.cut) {
      const next = CONNECT_RETRIES_MS[attempt]
      const asked = attempt === 0 ? 0 : (CONNECT_RETRIES_MS[attempt - 1] ?? 0)
      world.after((next ?? CONNECT_TIMEOUT_MS) - asked, from, () => {
        if (next === undefined) socket.failed('ETIMEDOUT')
        else this.connect(socket, port, attempt + 1)
      })
      return
    }
    const there = this.#latency() + line.lateMs
    world.after(there + this.#latency(), from, () => {
      if (socket.destroyed) return
      const now = this.#listeners.get(port)
      if (now === undefined || !now.process.alive) return socket.failed('ECONNREFUSED')
      this.#join(socket, now)
    })
  }

  /** The kernel answers for a process that stands still; whoever listens learns of it when it runs again. */
  #join(socket: SimSocket, { process, accept }: Listener): void {
    const line = this.line(socket.process.name, process.name)
    const peer = socket.peerFor(process)
    this.#wires += 1
    const wire = (one: SimSocket, other: SimSocket): Wire =>
      new Wire(this.#world, line, one, other, this.#world.dice(`wire ${this.#wires} ${one === socket}`))
    peer.connectedBy(wire(peer, socket))
    this.#world.after(0, process, () => accept(peer))
    socket.connectedBy(wire(socket, peer))
  }

  #latency(): number {
    return this.dice.between(0.05, 0.4)
  }

  /** What the kernel does when a process is gone: what it had written goes on its way, then the end. */
  closeAll(process: Process): void {
    for (const port of process.ports) this.#listeners.delete(port)
    process.ports.clear()
    for (const socket of process.sockets) socket.leftBehind()
    process.sockets.clear()
  }

  /** At the end of a run: whoever waits for the end of a connection hears of it, so that nothing is kept. */
  forget(process: Process): void {
    for (const socket of process.sockets) socket.forget()
    process.sockets.clear()
  }
}
