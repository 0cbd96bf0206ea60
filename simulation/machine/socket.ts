import { Duplex, type DuplexOptions } from 'node:stream'
import type { NetworkSocket } from './network.ts'
import type { Process } from './process.ts'
import { Silence } from './silence.ts'
import { askedByNode, errorOf } from './system.ts'
import type { Arrived, KeepAlive, TcpEnd } from './tcp-end.ts'
import { currentProcess, theSimulation, type RunningSimulation } from './current.ts'

interface SocketOptions extends Pick<DuplexOptions, 'signal' | 'highWaterMark'> {
  readonly allowHalfOpen?: boolean
  readonly process?: Process
}

/** Stands for `net.Socket`: what the product does with one, on the lines of the simulation. */
export class SimSocket extends Duplex implements NetworkSocket {
  readonly process: Process
  readonly #silence: Silence
  connecting = false
  bytesRead = 0
  bytesWritten = 0
  timeout = 0
  remoteAddress: string | undefined
  readonly remoteFamily = 'IPv4'
  remotePort = 0
  readonly localAddress = '127.0.0.1'
  localPort = 0
  /** False while it waits in a server's queue for the program to take it. */
  accepted = true
  #kernel: TcpEnd | null = null
  #peer: NetworkSocket | null = null
  #waiting: { readonly packet: Buffer; readonly done: (error?: Error) => void } | null = null
  #blocked: (() => void) | null = null
  #wantsMore = false
  #ended = false
  /** Its end was sent. */
  #finished = false
  #resetting = false
  #keepAliveMs: number | null = null

  constructor(options: SocketOptions = {}) {
    const { allowHalfOpen = false, process: owner, signal, highWaterMark } = options
    super({
      allowHalfOpen,
      autoDestroy: true,
      // Comes later than the error, as in Node: when the kernel has closed.
      emitClose: false,
      decodeStrings: true,
      ...(signal && { signal }),
      ...(highWaterMark !== undefined && { highWaterMark }),
    })
    const process = owner ?? currentProcess()
    if (process === undefined) throw new Error('a socket outside of every process')
    this.process = process
    this.#silence = new Silence(process, () => this.emit('timeout'))
    process.sockets.add(this)
  }

  get pending(): boolean {
    return this.#kernel === null
  }

  get readyState(): string {
    if (this.connecting) return 'opening'
    if (this.readable) return this.writable ? 'open' : 'readOnly'
    return this.writable ? 'writeOnly' : 'closed'
  }

  /** None once the run is over, or for code that goes on after its process has ended. */
  get #simulation(): RunningSimulation | null {
    return this.process.alive ? theSimulation() : null
  }

  connect(...args: unknown[]): this {
    const [first] = args
    const done = args.find((arg) => typeof arg === 'function')
    const port = Number(typeof first === 'object' && first !== null && 'port' in first ? first.port : first)
    if (!Number.isInteger(port)) throw new Error('the simulation has lines between ports only')
    if (typeof done === 'function') this.once('connect', () => Reflect.apply(done, this, []))
    this.connecting = true
    this.remotePort = port
    this.#active()
    this.#simulation?.network.connect(this, port)
    return this
  }

  /** Makes the socket at the server's side, for its program to take. */
  otherSide(process: Process, port: number, clientPort: number, allowHalfOpen: boolean): SimSocket {
    const server = new SimSocket({ process, allowHalfOpen })
    server.accepted = false
    server.localPort = port
    server.remotePort = this.localPort = clientPort
    return server
  }

  get peer(): NetworkSocket | null {
    return this.#peer
  }

  joined(kernel: TcpEnd, peer: NetworkSocket): void {
    this.#kernel = kernel
    this.#peer = peer
    this.remoteAddress = '127.0.0.1'
    this.#applyKeepAlive()
  }

  /** The program learns that it is connected. */
  connected(): void {
    if (this.destroyed) return
    this.connecting = false
    this.#active()
    this.emit('connect')
    this.emit('ready')
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting !== null) this.#put(waiting.packet, waiting.done)
    if (this.readable && !this.isPaused()) this.read(0)
  }

  /** A server's program gets it. Node reads ahead, whether or not anybody waits for it. */
  taken(): void {
    this.accepted = true
    this.read(0)
  }

  refused(code: 'ECONNREFUSED' | 'ETIMEDOUT'): void {
    if (!this.destroyed) this.destroy(errorOf(code, 'connect', this.remotePort))
  }

  override _read(): void {
    this.#wantsMore = true
    if (this.#kernel?.hasArrived) this.#simulation?.after(0, this.process, () => this.arrived())
  }

  /** The kernel has something for the program. */
  arrived(): void {
    while (this.#wantsMore && !this.#ended && !this.destroyed) {
      const first = this.#kernel?.take() ?? null
      if (first === null) return
      this.#found(first)
    }
  }

  #found(first: Arrived): void {
    if (first === 'ECONNRESET' || first === 'ETIMEDOUT') {
      this.destroy(errorOf(first, 'read', this.remotePort))
      return
    }
    this.#active()
    if (first === 'end') {
      // Node reads no more after it: what happens to the connection later it learns when it writes.
      this.#ended = true
      this.push(null)
      this.read(0)
      return
    }
    this.bytesRead += first.length
    this.#wantsMore = this.push(first)
  }

  override _write(chunk: Buffer, _: string, done: (error?: Error) => void): void {
    this.#take(chunk, done)
  }

  override _writev(chunks: readonly { chunk: Buffer }[], done: (error?: Error) => void): void {
    this.#take(Buffer.concat(chunks.map(({ chunk }) => chunk)), done)
  }

  #take(packet: Buffer, done: (error?: Error) => void): void {
    if (!this.connecting) return this.#put(packet, done)
    this.#waiting = { packet, done }
    this.once('close', () => this.#waiting?.done(new Error('Socket closed before the connection was established')))
  }

  #put(packet: Buffer, done: (error?: Error) => void): void {
    const simulation = this.#simulation
    // Code of a process that has ended reaches nobody.
    if (simulation === null) return
    const kernel = this.#kernel
    if (kernel === null || kernel.isOver) {
      process.nextTick(done, errorOf('EPIPE', 'write', this.remotePort))
      return
    }
    this.#active()
    this.bytesWritten += packet.length
    // The kernel keeps them, whatever becomes of the program's own memory.
    const kept = Buffer.from(packet)
    simulation.network.tap(this, kept)
    if (kernel.send(kept)) done()
    else this.#blocked = done
  }

  drained(): void {
    const done = this.#blocked
    this.#blocked = null
    this.#active()
    done?.()
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.connecting) this.once('connect', () => this.#finish(done))
    else this.#finish(done)
  }

  #finish(done: (error?: Error | null) => void): void {
    this.#kernel?.sendEnd()
    this.#finished = true
    if (this.#kernel === null) done()
    else this.#simulation?.after(0, this.process, done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#silence.allow(0)
    this.connecting = false
    this.#kernel?.close(this.#finished, this.#resetting)
    done(error)
    this.#simulation?.after(0, this.process, () => this.#closed(error !== null))
  }

  #closed(hadError: boolean): void {
    this.process.sockets.delete(this)
    this.emit('close', hadError)
  }

  /** What was written and not delivered is dropped, and the other side is told. */
  resetAndDestroy(): this {
    if (this.#kernel === null && !this.connecting) return this.destroy(new Error('Socket is closed'))
    if (this.connecting) this.once('connect', () => this.#reset())
    else this.#reset()
    return this
  }

  #reset(): void {
    this.#resetting = true
    this.destroy()
  }

  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  /** Its process is gone. */
  leftBehind(): void {
    this.#silence.allow(0)
    // A connection that nobody had taken yet is refused.
    this.#kernel?.close(this.#finished, !this.accepted)
  }

  /** At the end of a run: whoever waits for the end of a connection hears of it, so that nothing is kept. */
  forget(): void {
    this.emit('close', false)
    this.removeAllListeners().on('error', () => undefined)
  }

  setTimeout(ms: number, run?: () => void): this {
    if (this.destroyed) return this
    this.timeout = ms
    this.#silence.allow(ms)
    if (run !== undefined && ms > 0) this.once('timeout', run)
    else if (run !== undefined) this.removeListener('timeout', run)
    return this
  }

  #active(): void {
    if (!this.destroyed) this.#silence.interrupt()
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(on = false, afterMs = 0): this {
    // Without a time Linux waits for two hours: longer than any run.
    this.#keepAliveMs = on && afterMs > 0 ? afterMs : null
    this.#applyKeepAlive()
    return this
  }

  #applyKeepAlive(): void {
    const idleMs = this.#keepAliveMs
    if (idleMs !== null) this.#kernel?.keepAlive(askedByNode(idleMs))
  }

  /** As a program that is not Node's sets it: TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT and TCP_USER_TIMEOUT. */
  lookAfter(ask: KeepAlive, userTimeoutMs: number): void {
    this.#kernel?.keepAlive(ask, userTimeoutMs)
  }

  ref = (): this => this
  unref = (): this => this

  address(): object {
    return this.#kernel === null ? {} : { address: this.localAddress, family: 'IPv4', port: this.localPort }
  }
}
