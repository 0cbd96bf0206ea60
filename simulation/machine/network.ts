import type { Duplex } from 'node:stream'
import type { Dice } from './dice.ts'
import type { Process, ProcessSocket } from './process.ts'
import { type EndUser, type KeepAlive, TcpEnd } from './tcp-end.ts'
import { type Line, Wire } from './wire.ts'
import type { Timeline } from './timeline.ts'

/** The program's part of a connection: a stream that stands for `net.Socket`. */
export interface NetworkSocket extends Duplex, EndUser, ProcessSocket {
  readonly process: Process
  readonly peer: NetworkSocket | null
  otherSide(process: Process, port: number, clientPort: number, allowHalfOpen: boolean): NetworkSocket
  joined(kernel: TcpEnd, peer: NetworkSocket): void
  connected(): void
  taken(): void
  lookAfter(ask: KeepAlive, userTimeoutMs: number): void
  refused(code: 'ECONNREFUSED' | 'ETIMEDOUT'): void
}

/** Takes the connections of a port. */
export interface Listener {
  readonly process: Process
  readonly allowHalfOpen: boolean
  readonly accept: (socket: NetworkSocket) => void
}

/** A kernel without an answer to its first packet tries again after these, ms, then gives the connection up. */
const CONNECT_RETRIES_MS = [1_000, 3_000, 7_000, 15_000, 31_000, 63_000]
const CONNECT_TIMEOUT_MS = 127_000
/** So many connections wait for a program to take them; further ones get no answer (Node's default). */
const BACKLOG = 511
/** Ports of clients are given from here on. */
const FIRST_CLIENT_PORT = 32_768

/** Ports, and the lines between processes. */
export class Network {
  readonly #simulation: Timeline
  readonly #listeners = new Map<number, Listener>()
  /** Whose a port was last: its machine answers when the program is gone. */
  readonly #owners = new Map<number, Process>()
  readonly #waiting = new Map<Listener, number>()
  readonly #lines = new Map<string, Line>()
  /** Of processes that have ended: their kernels go on. */
  readonly #orphans = new Map<ProcessSocket, Process>()
  readonly #dice: Dice
  /** Sees what programs write, in the turn they write it. */
  tap: (socket: NetworkSocket, bytes: Buffer) => void = () => undefined
  #wires = 0
  #clientPort = FIRST_CLIENT_PORT

  constructor(simulation: Timeline) {
    this.#simulation = simulation
    this.#dice = simulation.dice('network')
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
    this.#owners.set(port, listener.process)
    listener.process.ports.add(port)
    return true
  }

  unlisten(port: number): void {
    this.#listeners.get(port)?.process.ports.delete(port)
    this.#listeners.delete(port)
  }

  connect(socket: NetworkSocket, port: number, attempt = 0): void {
    if (socket.destroyed || !socket.process.alive) return
    const from = socket.process
    const simulation = this.#simulation
    if (!this.#answers(from, port)) {
      const next = CONNECT_RETRIES_MS[attempt]
      const asked = attempt === 0 ? 0 : (CONNECT_RETRIES_MS[attempt - 1] ?? 0)
      simulation.after((next ?? CONNECT_TIMEOUT_MS) - asked, from, () => {
        if (next === undefined) socket.refused('ETIMEDOUT')
        else this.connect(socket, port, attempt + 1)
      })
      return
    }
    const owner = this.#owners.get(port)
    const lateMs = owner === undefined ? 0 : this.line(from.name, owner.name).lateMs
    simulation.after(this.#latency() + this.#latency() + lateMs, from, () => {
      if (socket.destroyed) return
      const listener = this.#listeners.get(port)
      if (listener?.process.alive) this.#join(socket, port, listener)
      else socket.refused('ECONNREFUSED')
    })
  }

  /** The kernel of the other machine, whether or not somebody listens there. */
  #answers(from: Process, port: number): boolean {
    const owner = this.#owners.get(port)
    if (owner === undefined) return true
    const listener = this.#listeners.get(port)
    const isFull = listener !== undefined && (this.#waiting.get(listener) ?? 0) >= BACKLOG
    return !isFull && owner.asleepSince === null && !this.line(from.name, owner.name).cut
  }

  /** The kernel answers for a process that stands still; whoever listens learns of it when it runs again. */
  #join(client: NetworkSocket, port: number, listener: Listener): void {
    const { process, allowHalfOpen, accept } = listener
    const server = client.otherSide(process, port, (this.#clientPort += 1), allowHalfOpen)
    this.#connectEnds(client, server)
    this.#waiting.set(listener, (this.#waiting.get(listener) ?? 0) + 1)
    this.#simulation.after(0, process, () => {
      this.#waiting.set(listener, (this.#waiting.get(listener) ?? 1) - 1)
      server.taken()
      accept(server)
    })
    client.connected()
  }

  #connectEnds(client: NetworkSocket, server: NetworkSocket): void {
    const line = this.line(client.process.name, server.process.name)
    const [near, far] = [client, server].map((socket) => new TcpEnd(this.#simulation, socket.process, socket))
    if (near === undefined || far === undefined) return
    this.#wires += 1
    const wire = (from: TcpEnd, to: TcpEnd): Wire =>
      new Wire(this.#simulation, line, from, to, this.#simulation.dice(`wire ${this.#wires} ${from === near}`))
    near.join(far, wire(near, far))
    far.join(near, wire(far, near))
    client.joined(near, server)
    server.joined(far, client)
  }

  #latency(): number {
    return this.#dice.between(0.05, 0.4)
  }

  /** What the kernel does when a process is gone: what it had written goes on its way, then the end. */
  closeAll(process: Process): void {
    for (const port of process.ports) this.#listeners.delete(port)
    process.ports.clear()
    for (const socket of process.sockets) {
      socket.leftBehind()
      this.#orphans.set(socket, process)
    }
    process.sockets.clear()
  }

  /** At the end of a run nothing is kept. */
  forgetAll(): void {
    const sockets = new Map(this.#orphans)
    for (const process of this.#simulation.processes) {
      for (const socket of process.sockets) sockets.set(socket, process)
      process.sockets.clear()
    }
    // Each hears of it as itself: what its code does about it is not taken for somebody else's.
    for (const [socket, process] of sockets) this.#simulation.enter(process, () => socket.forget())
    this.#orphans.clear()
    this.#listeners.clear()
  }
}
