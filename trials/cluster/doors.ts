import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A local socket knows no network namespaces: it leads from one host to the processes that watch over all. */
export async function openDoor(path: string, port: number): Promise<Server> {
  rmSync(path, { force: true })
  return await forwarder(
    () => connect({ host: '127.0.0.1', port, allowHalfOpen: true }),
    (server) => server.listen(path),
  )
}

/** The other side of the door. Resolves to a port of this machine's loopback. */
export async function passDoor(path: string): Promise<{ readonly port: number; readonly server: Server }> {
  const server = await forwarder(
    () => connect({ path, allowHalfOpen: true }),
    (made) => made.listen(0, '127.0.0.1'),
  )
  const address = server.address()
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 }
}

/** Passes TCP connections at an address of the host on to its loopback. */
export const openAddress = (host: string, at: number, port: number): Promise<Server> =>
  forwarder(
    () => connect({ host: '127.0.0.1', port, allowHalfOpen: true }),
    (server) => server.listen(at, host),
  )

async function forwarder(dial: () => Socket, listen: (server: Server) => void): Promise<Server> {
  // A half that is closed leaves the other open: what a dead client sent is delivered even so, as a real network does.
  const server = createServer({ allowHalfOpen: true }, (incoming) => {
    const onward = dial()
    join(incoming, onward)
    join(onward, incoming)
  })
  listen(server)
  await once(server, 'listening')
  return server
}

function join(from: Socket, to: Socket): void {
  from.pipe(to)
  from.on('error', () => to.destroySoon())
}
