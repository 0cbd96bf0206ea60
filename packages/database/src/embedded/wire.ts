import { Duplex } from 'node:stream'
import type { Engine } from './engine.ts'

/** What `pg` takes for a TCP socket: bytes go to the database's thread and back. */
export class EngineSocket extends Duplex {
  readonly #engine: Engine
  #number = 0

  constructor(engine: Engine) {
    super()
    this.#engine = engine
  }

  connect(): this {
    this.#number = this.#engine.attach({
      opened: () => void this.emit('connect'),
      bytes: (bytes) => void this.push(bytes),
      failed: (error) => void this.destroy(error),
    })
    return this
  }

  override _read(): void {
    // Bytes are pushed when they come.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#engine.send(this.#number, chunk)
    done()
  }

  /** One query is several writes; sent together they are one turn of the engine. */
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#engine.send(this.#number, Buffer.concat(chunks.map(({ chunk }) => chunk)))
    done()
  }

  override _final(done: () => void): void {
    done()
    this.push(null)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#engine.detach(this.#number)
    done(error)
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
}
