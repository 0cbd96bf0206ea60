import { duplexPair, type Duplex } from 'node:stream'
import type { Client, ClientConfig } from 'pg'
import { clientOf } from '@digger/database/testing'
import type { DatabaseModel } from './model.ts'

/** A client of the library the product uses, connected to the model by a pair of streams in memory. For tests. */
export async function pgClient(model: DatabaseModel, config: ClientConfig = {}): Promise<Client> {
  const client = clientOf({ user: 'digger', database: 'digger', ...config, stream: () => clientSocket(model) })
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
