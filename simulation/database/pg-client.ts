import { duplexPair, type Duplex } from 'node:stream'
import { Client, type ClientConfig } from 'pg'
import type { DatabaseModel } from './model.ts'

/** A client of the library the product uses, connected to the model by a pair of streams in memory. For tests. */
export async function pgClient(model: DatabaseModel, config: ClientConfig = {}): Promise<Client> {
  const client = new Client({ user: 'digger', database: 'digger', ...config, stream: () => clientSocket(model) })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** What `pg` takes for a TCP socket. */
export function clientSocket(model: DatabaseModel): Duplex & { connect(): void } {
  const [near, far] = duplexPair()
  const itself = () => near
  // As a network does: what one side destroys the other sees closed.
  far.on('close', () => void near.destroy())
  near.on('close', () => void far.destroy())
  return Object.assign(near, {
    connect: () => {
      model.connect(far)
      process.nextTick(() => near.emit('connect'))
    },
    setNoDelay: itself,
    setKeepAlive: itself,
    ref: itself,
    unref: itself,
  })
}
