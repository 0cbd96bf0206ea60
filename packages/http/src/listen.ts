import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A browser tries both for `localhost`, whichever of them the machine's own tables name. */
const LOOPBACK = ['127.0.0.1', '::1']

/** Starts to answer, for `localhost` on both loopback addresses. Resolves to the address it is opened by. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
  loopback: readonly string[] = LOOPBACK,
): Promise<string> {
  const address = await app.listen({ host, port })
  const [bound] = app.addresses()
  if (host !== 'localhost' || typeof bound !== 'object') return address
  for (const other of loopback) if (other !== bound.address) await listenBeside(app, other, bound.port)
  return address
}

/**
 * Fastify binds a second server of its own only where it makes the servers. Here the sockets of the other address are handed
 * to the one server there is: admission, the count of connections and the time limits are the same ones.
 */
async function listenBeside({ server, log }: FastifyInstance, host: string, port: number): Promise<void> {
  // As node:http makes its own sockets.
  const options = { allowHalfOpen: true, noDelay: true }
  const beside = createServer(options, (socket) => void server.emit('connection', socket))
  try {
    beside.listen(port, host)
    await once(beside, 'listening')
  } catch (error) {
    // A machine without IPv6, or a port that another program has there: the first address answers.
    log.warn({ err: error, host, port }, 'localhost is answered on its other address only')
    return
  }
  server.once('close', () => {
    beside.close()
    // Those that came while the server was closing.
    server.closeAllConnections()
  })
}
