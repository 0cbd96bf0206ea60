import { Duplex } from 'node:stream'
import type { Network } from './network.ts'
import type { Process } from './process.ts'
import { currentProcess, theWorld } from './world.ts'
import { TIMERS } from './timers.ts'
import type { Wire } from './wire.ts'

/** A kernel takes so much before a writer has to wait, bytes. */
const SEND_BUFFER = 1_000_000

interface SocketOptions {
  readonly allowHalfOpen?: boolean
  readonly process?: Process
}

/** Stands for `net.Socket`: what the product does with one, on the lines of the world. */
export class SimSocket extends Duplex {
  readonly process: Process
  connecting = false
  pending = true
  bytesRead = 0
  bytesWritten = 0
  timeout = 0
  remoteAddress: string | undefined
  readonly remoteFamily = 'IPv4'
  remotePort = 0
  readonly localAddress = '127.0.0.1'
  localPort = 0
  #wire: Wire | null = null
  #peer: SimSocket | null = null
  #timer: unknown = null
  #waiting: { readonly packet: Buffer; readonly done: () => void } | null = null
  #blocked: (() => void) | null = null
  #resetting = false
  /** The other side is gone and could not say so: whoever writes to it is told. */
  #abandoned = false
  #orphan = false

  constructor(options: SocketOptions = {}) {
    super({ allowHalfOpen: options.allowHalfOpen ?? false, autoDestroy: true, emitClose: true })
    const process = options.process ?? currentProcess()
    if (process === undefined) throw new Error('a socket outside of every process')
    this.process = process
    process.sockets.add(this)
    this.once('close', () => process.sockets.delete(this))
  }

  get readyState(): string {
    return this.connecting ? 'opening' : this.destroyed ? 'closed' : 'open'
  }

  /** Whether its program has let go of it: only the kernel goes on. */
  get isOrphan(): boolean {
    return this.#orphan || this.destroyed
  }

  get #network(): Network | undefined {
    return theWorld()?.network
  }

  connect(...args: unknown[]): this {
    const [first, second] = args
    const done = args.find((arg) => typeof arg === 'function')
    const given: unknown = typeof first === 'object' && first !== null && 'port' in first ? first.port : first
    if (typeof done === 'function') this.once('connect', () => Reflect.apply(done, this, []))
    this.connecting = true
    this.remotePort = Number(given)
    void second
    this.#network?.connect(this, this.remotePort)
    return this
  }

  get peer(): SimSocket | null {
    return this.#peer
  }

  /** The server's side of this connection. */
  peerFor(process: Process): SimSocket {
    const peer = new SimSocket({ process, allowHalfOpen: true })
    peer.remoteAddress = '127.0.0.1'
    this.#peer = peer
    peer.#peer = this
    return peer
  }

  connectedBy(wire: Wire): void {
    this.#wire = wire
    this.pending = false
    this.remoteAddress = '127.0.0.1'
    if (!this.connecting) return
    this.connecting = false
    this.emit('connect')
    this.emit('ready')
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting !== null) this.#put(waiting.packet, waiting.done)
  }

  override _read(): void {
    // What arrives is pushed at once.
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.#take(chunk, done)
  }

  override _writev(chunks: readonly { chunk: Buffer }[], done: () => void): void {
    this.#take(Buffer.concat(chunks.map(({ chunk }) => chunk)), done)
  }

  #take(packet: Buffer, done: () => void): void {
    if (this.#wire === null) this.#waiting = { packet, done }
    else this.#put(packet, done)
  }

  #put(packet: Buffer, done: () => void): void {
    // A program of a run that is over.
    if (!this.process.alive) return done()
    this.#active()
    this.bytesWritten += packet.length
    if (this.#abandoned) {
      theWorld()?.after(1, this.process, () => this.failed('ECONNRESET'))
      return done()
    }
    // The kernel keeps them, whatever becomes of the program's own memory.
    const kept = Buffer.from(packet)
    this.#network?.tap(this, kept)
    this.#wire?.send(kept)
    if ((this.#wire?.heldBytes ?? 0) > SEND_BUFFER) this.#blocked = done
    else done()
  }

  /** The kernel has room again. */
  drained(): void {
    const done = this.#blocked
    this.#blocked = null
    if (done !== null) theWorld()?.after(0, this.process, done)
  }

  override _final(done: () => void): void {
    this.#wire?.send('end')
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#clearTimer()
    if (!this.#resetting && !this.writableFinished) this.#wire?.send('end')
    done(error)
  }

  /** As the kernel does it: what was written and not delivered is dropped. */
  resetAndDestroy(): this {
    this.#resetting = true
    this.#wire?.reset()
    return this.destroy()
  }

  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  arrived(packet: Buffer | 'end'): void {
    // Bytes for a program that has closed: the kernel answers with a reset.
    if (this.destroyed) return void (packet === 'end' || this.#peer?.refused())
    this.#active()
    if (packet === 'end') return void this.push(null)
    this.bytesRead += packet.length
    this.push(packet)
  }

  refused(): void {
    theWorld()?.after(1, this.process, () => this.failed('ECONNRESET'))
  }

  abandoned(): void {
    this.#abandoned = true
  }

  failed(code: string): void {
    if (this.destroyed) return
    this.#wire?.drop()
    this.connecting = false
    this.destroy(Object.assign(new Error(`${code} 127.0.0.1:${this.remotePort}`), { code }))
  }

  /** The process is gone: the kernel sends what was written, then the end. */
  leftBehind(): void {
    this.#orphan = true
    this.#wire?.send('end')
  }

  forget(): void {
    this.#wire?.drop()
    this.emit('close')
    this.removeAllListeners()
  }

  setTimeout(ms: number, run?: () => void): this {
    if (run !== undefined) this.once('timeout', run)
    this.timeout = ms
    this.#active()
    return this
  }

  #active(): void {
    this.#clearTimer()
    if (this.timeout > 0) this.#timer = TIMERS.setTimeout(() => this.emit('timeout'), this.timeout)
  }

  #clearTimer(): void {
    if (this.#timer !== null) TIMERS.clearTimeout(this.#timer)
    this.#timer = null
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  address(): object {
    return { address: this.localAddress, family: 'IPv4', port: this.localPort }
  }
}
