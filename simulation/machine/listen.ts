import type { Server } from 'node:net'
import type { NetworkSocket } from './network.ts'
import { currentProcess, theSimulation } from './current.ts'

interface Listening {
  readonly port: number
  readonly connections: Set<NetworkSocket>
}

/** Servers that listen in the simulation. */
const servers = new WeakMap<Server, Listening>()

function portOf(args: readonly unknown[]): number {
  const [first] = args
  return Number(typeof first === 'object' && first !== null && 'port' in first ? first.port : first)
}

/** What stands in for the methods of `net.Server`, and so of `http.Server`; `this` is the server. */
export const LISTENING = {
  listen(this: Server & { readonly allowHalfOpen?: boolean }, ...args: unknown[]): Server {
    const process = currentProcess()
    const simulation = theSimulation()
    if (simulation === null || process === undefined) throw new Error('nothing listens outside of the simulation')
    const port = portOf(args)
    const done = args.find((arg) => typeof arg === 'function')
    if (typeof done === 'function') this.once('listening', () => Reflect.apply(done, this, []))
    const connections = new Set<NetworkSocket>()
    const accept = (socket: NetworkSocket): void => {
      connections.add(socket)
      socket.once('close', () => {
        connections.delete(socket)
        if (!servers.has(this) && connections.size === 0) this.emit('close')
      })
      this.emit('connection', socket)
    }
    if (simulation.network.listen(port, { process, accept, allowHalfOpen: this.allowHalfOpen === true })) {
      servers.set(this, { port, connections })
      simulation.onClose(() => stop(this))
      queueMicrotask(() => this.emit('listening'))
    } else {
      const taken = Object.assign(new Error(`EADDRINUSE: port ${port}`), { code: 'EADDRINUSE', port })
      queueMicrotask(() => this.emit('error', taken))
    }
    return this
  },

  address(this: Server): { port: number; address: string; family: string } | null {
    const listening = servers.get(this)
    return listening === undefined ? null : { port: listening.port, address: '127.0.0.1', family: 'IPv4' }
  },

  /** `close` is told when the last connection has ended. */
  close(this: Server, done?: (error?: Error) => void): Server {
    const listening = servers.get(this)
    if (listening === undefined) {
      if (done !== undefined) queueMicrotask(() => done(new Error('Server is not running.')))
      return this
    }
    if (done !== undefined) this.once('close', done)
    theSimulation()?.network.unlisten(listening.port)
    servers.delete(this)
    if (listening.connections.size === 0) queueMicrotask(() => this.emit('close'))
    return this
  },
}

/** At the end of a run: an HTTP server has a timer of Node's own, which would keep it, and all it knows, for ever. */
function stop(server: Server): void {
  server.removeAllListeners()
  server.close()
}

export const isListening = (server: Server): boolean => servers.has(server)
