import type { Server } from 'node:net'
import type { SimSocket } from './socket.ts'
import { currentProcess, theWorld } from './world.ts'

/** Ports of servers that listen in the world. */
const ports = new WeakMap<Server, number>()

function portOf(args: readonly unknown[]): number {
  const [first] = args
  return Number(typeof first === 'object' && first !== null && 'port' in first ? first.port : first)
}

/** What stands in for the methods of `net.Server`, and so of `http.Server`; `this` is the server. */
export const LISTENING = {
  listen(this: Server, ...args: unknown[]): Server {
    const process = currentProcess()
    const world = theWorld()
    if (world === null || process === undefined) throw new Error('nothing listens outside of the world')
    const port = portOf(args)
    const done = args.find((arg) => typeof arg === 'function')
    if (typeof done === 'function') this.once('listening', () => Reflect.apply(done, this, []))
    const accept = (socket: SimSocket): void => void this.emit('connection', socket)
    if (world.network.listen(port, { process, accept })) {
      ports.set(this, port)
      queueMicrotask(() => this.emit('listening'))
    } else {
      const taken = Object.assign(new Error(`EADDRINUSE: port ${port}`), { code: 'EADDRINUSE', port })
      queueMicrotask(() => this.emit('error', taken))
    }
    return this
  },

  address(this: Server): { port: number; address: string; family: string } | null {
    const port = ports.get(this)
    return port === undefined ? null : { port, address: '127.0.0.1', family: 'IPv4' }
  },

  close(this: Server, done?: () => void): Server {
    const port = ports.get(this)
    if (port !== undefined) theWorld()?.network.unlisten(port)
    ports.delete(this)
    if (done !== undefined) this.once('close', done)
    queueMicrotask(() => this.emit('close'))
    return this
  },
}

export const isListening = (server: Server): boolean => ports.has(server)
