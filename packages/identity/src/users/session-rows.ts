import type { Factor } from '@digger/database'
import type { Pool } from 'pg'

export interface SessionFound {
  readonly user_id: string
  readonly email: string
  readonly digger_admin: boolean
  readonly seen_at: number
  readonly expires_at: number
  readonly factor: Factor | null
}

interface Asked {
  readonly hash: Buffer
  readonly found: (row: SessionFound | undefined) => void
  readonly failed: (error: unknown) => void
}

/** Prepared once a connection: asked more often than anything else. */
const FIND = `select token_hash, user_id, email, digger_admin, seen_at, expires_at, factor
  from session join users on users.id = session.user_id where token_hash = any($1::bytea[])`

/** Looks sessions up in the database: those asked for by requests that came together are one question. */
export class SessionRows {
  readonly #pool: Pool
  #asked: Asked[] = []

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** By the token's hash; undefined where there is no such session. */
  find(hash: Buffer): Promise<SessionFound | undefined> {
    return new Promise((found, failed) => {
      // Sent when all sockets that have something were read, and not when an earlier answer is there: one that is late holds
      // up nobody else.
      if (this.#asked.length === 0) setImmediate(() => void this.#send())
      this.#asked.push({ hash, found, failed })
    })
  }

  async #send(): Promise<void> {
    const asked = this.#asked
    this.#asked = []
    try {
      const { rows } = await this.#pool.query<SessionFound & { token_hash: Buffer }>({
        name: 'session',
        text: FIND,
        values: [asked.map(({ hash }) => hash)],
      })
      const byHash = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]))
      for (const { hash, found } of asked) found(byHash.get(hash.toString('hex')))
    } catch (error) {
      for (const { failed } of asked) failed(error)
    }
  }
}
