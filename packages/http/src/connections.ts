import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '@digger/identity'

/** One address may keep so many connections open; more are closed before anything is read. Proxies carry everyone's. */
export function limitConnections(
  server: Server,
  maxOpen: number,
  isProxy: (address: string, hop: number) => boolean,
): void {
  const open = new Map<string, number>()
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isProxy(remoteAddress, 0)) return
    const network = networkOf(remoteAddress)
    const count = (open.get(network) ?? 0) + 1
    if (count > maxOpen) {
      socket.destroy()
      return
    }
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 0) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}
