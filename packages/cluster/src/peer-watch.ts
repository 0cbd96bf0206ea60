import type { Client } from 'pg'
import { sessionClient } from '@digger/database'
import { WORKER_LOCKS } from './locks.ts'
import type { LiveWorker } from './worker-rows.ts'

/** Waits for the lock of each other worker: whoever gets it knows within milliseconds that the other's session is gone. */
export class PeerWatch {
  readonly #url: string
  readonly #gone: (id: string) => Promise<void>
  readonly #watched = new Map<string, Client>()
  #ended = false

  /** The lock is kept until `gone` is through with it. */
  constructor(url: string, gone: (id: string) => Promise<void>) {
    this.#url = url
    this.#gone = gone
  }

  /** These are there now, beside oneself. */
  follow(peers: readonly Pick<LiveWorker, 'id' | 'lock'>[]): void {
    const ids = new Set(peers.map(({ id }) => id))
    for (const [id, client] of this.#watched) if (!ids.has(id)) this.#leave(id, client)
    for (const peer of peers) if (!this.#watched.has(peer.id) && !this.#ended) void this.#watch(peer)
  }

  end(): void {
    this.#ended = true
    for (const [id, client] of this.#watched) this.#leave(id, client)
  }

  /** A failure is tried again when the peers are told the next time. */
  async #watch({ id, lock }: Pick<LiveWorker, 'id' | 'lock'>): Promise<void> {
    const client = sessionClient(this.#url)
    this.#watched.set(id, client)
    try {
      await client.connect()
      await client.query('select pg_advisory_lock_shared($1, $2)', [WORKER_LOCKS, lock])
      if (this.#watched.get(id) === client) await this.#gone(id)
    } catch {
      // The own line was cut, or nobody wants to know any more.
    } finally {
      if (this.#watched.get(id) === client) this.#leave(id, client)
    }
  }

  #leave(id: string, client: Client): void {
    this.#watched.delete(id)
    client.end().catch(() => undefined)
  }
}
