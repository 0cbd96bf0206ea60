import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { generator } from '@digger/app'

export interface SlowLine {
  readonly url: string
  readonly wsUrl: string
  close(): Promise<void>
}

/** Frames of a socket would be many; they are never ahead of the reply they follow. */
const HTTP = /^(GET|POST|HTTP)/

/**
 * A line on which every other call or reply, by a seeded chance, is `lateMs` late: whatever order two connections
 * happened to keep between them, it is another one here. Within a connection nothing overtakes.
 */
export async function slowLine(to: string, seed: number, lateMs: number): Promise<SlowLine> {
  const draw = generator(seed)
  const { port, hostname } = new URL(to)
  const open = new Set<Socket>()
  const carry = async (from: Socket, into: Socket): Promise<void> => {
    for await (const piece of from as AsyncIterable<Buffer>) {
      if (HTTP.test(piece.toString('latin1', 0, 8)) && draw() < 0.5) await delay(lateMs)
      into.write(piece)
    }
    into.end()
  }
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      open.add(socket.setNoDelay())
      socket.once('close', () => open.delete(socket))
    }
    // A connection that breaks ends both ways; its ends learn of it themselves.
    carry(near, far).catch(() => far.destroy())
    carry(far, near).catch(() => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the line has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    wsUrl: `ws://127.0.0.1:${address.port}`,
    close: async () => {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  }
}
