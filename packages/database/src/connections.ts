import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg'

/**
 * PostgreSQL may end a connection at any moment: while nobody asks anything, between two statements of a transaction, after we have said
 * goodbye. Whoever waits for an answer is told. The client tells it as an event, too, which ends the process where nobody listens.
 */
class ListeningClient extends Client {
  constructor(config?: ClientConfig) {
    super(config)
    this.on('error', ignoreError)
  }
}

/** A connection whose end is a failed question, never the end of the process. */
export const clientOf = (config: ClientConfig): Client => new ListeningClient(config)

/**
 * A pool of such connections. It tells the end of an idle client once more, as its own, also when it is ended itself: it calls itself
 * ended while PostgreSQL has its goodbyes still to read.
 */
export function poolOf(config: PoolConfig): Pool {
  const pool = new Pool({ ...config, Client: ListeningClient })
  pool.on('error', ignoreError)
  return pool
}

const ignoreError = (): void => undefined
