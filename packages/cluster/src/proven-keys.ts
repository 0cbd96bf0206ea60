import { sql } from 'kysely'
import type { Db } from '@digger/database'
import type { ClusterSecret } from './cluster-secret.ts'

interface KeyRow {
  readonly id: string
  readonly public_key: Buffer | null
  readonly proof: Buffer | null
}

/** Public keys of workers, only of those that have shown that they belong to the cluster: rows may be written by anybody. */
export class ProvenKeys {
  readonly #db: Db
  readonly #secret: ClusterSecret
  readonly #forged: (worker: string) => void
  readonly #reported = new Set<string>()

  /** `forged` is called once for each row that nobody of the cluster wrote. */
  constructor(db: Db, secret: ClusterSecret, forged: (worker: string) => void) {
    this.#db = db
    this.#secret = secret
    this.#forged = forged
  }

  /** Of all workers that are there. */
  async live(): Promise<Buffer[]> {
    const rows = await this.#select()
      .where(sql<boolean>`until > now()`)
      .execute()
    return rows.flatMap((row) => this.#proven(row) ?? [])
  }

  /** Null where the worker is not there, or has no such key. */
  async of(worker: string): Promise<Buffer | null> {
    const row = await this.#select().where('id', '=', worker).executeTakeFirst()
    return row ? this.#proven(row) : null
  }

  #select() {
    return this.#db.selectFrom('worker').select(['id', 'public_key', 'proof']).where('buried', '=', false)
  }

  #proven({ id, public_key, proof }: KeyRow): Buffer | null {
    if (public_key === null || proof === null) return null
    if (this.#secret.isProven(id, public_key, proof)) return public_key
    if (!this.#reported.has(id)) this.#forged(id)
    this.#reported.add(id)
    return null
  }
}
