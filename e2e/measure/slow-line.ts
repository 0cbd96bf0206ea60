import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'

/** What a line lets through at first, before anything was acknowledged: ten full packets (RFC 6928). */
const FIRST_WINDOW = 14_600
/** As a line carries it; the rate holds for packets, not for bytes one by one. */
const PACKET = 1_460

export interface Line {
  /** There and back, ms. */
  roundTrip: number
  /** Each way, bit/s; shared by all connections. */
  rate: number
}

/** One direction of the line: packets of all connections stand in one queue, then take half a round trip. */
class Direction {
  readonly #bytesPerMs: number
  readonly #delay: number
  #freeAt = 0

  constructor({ roundTrip, rate }: Line) {
    this.#bytesPerMs = rate / 8 / 1000
    this.#delay = roundTrip / 2
  }

  /** Comes true when the packet is on the other side. */
  carry(bytes: number): Promise<void> {
    const now = performance.now()
    this.#freeAt = Math.max(now, this.#freeAt) + bytes / this.#bytesPerMs
    const wait = this.#freeAt + this.#delay - now
    return new Promise((done) => setTimeout(done, wait))
  }
}

/** Sends what `from` says to `to`, as fast as the line and the slow start of a new connection allow. */
async function pump(from: Socket, to: Socket, line: Direction, roundTrip: number, ready: Promise<void>): Promise<void> {
  await ready
  let [window, flying] = [FIRST_WINDOW, 0]
  let acknowledged = Promise.withResolvers<void>()
  const send = async (packet: Buffer) => {
    await line.carry(packet.length)
    if (to.writable) to.write(packet)
    await new Promise((done) => setTimeout(done, roundTrip / 2))
    flying -= packet.length
    window += packet.length
    acknowledged.resolve()
    acknowledged = Promise.withResolvers()
  }
  for await (const chunk of from) {
    if (!Buffer.isBuffer(chunk)) throw new Error('sockets give bytes')
    for (let at = 0; at < chunk.length; at += PACKET) {
      const packet = chunk.subarray(at, at + PACKET)
      while (flying + packet.length > window) await acknowledged.promise
      flying += packet.length
      void send(packet)
    }
  }
  await line.carry(0)
  to.end()
}

/**
 * A port behind which `target` is far away: a connection takes a round trip, and sends as TCP does, in windows that double.
 * Nothing is lost on the way. A browser's own throttling slows requests, not connections.
 */
export async function slowLine(target: number, line: Line): Promise<{ port: number; close: () => void }> {
  const [up, down] = [new Direction(line), new Direction(line)]
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
      })
    }
    // The system has accepted at once what would have taken a round trip.
    const ready = new Promise<void>((done) => setTimeout(done, line.roundTrip))
    pump(near, far, up, line.roundTrip, ready).catch(() => far.destroy())
    pump(far, near, down, line.roundTrip, ready).catch(() => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
