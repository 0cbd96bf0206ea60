import { type Db, shardOf } from '@digger/database'

/** The table of shards is believed this long without a reason to doubt it, ms. */
const BELIEVED_MS = 1_000

/** Whom to ask for an account. */
export interface AccountOwners {
  /** The worker that has the account; null where nobody has it just now. */
  of(userId: string): Promise<string | null>
  /** What was believed has turned out to be wrong. */
  read(): Promise<void>
}

/** Which worker has which account, for a process that has none itself. */
export class Owners implements AccountOwners {
  readonly #db: Db
  #workers: readonly (string | null)[] = []
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null

  constructor(db: Db) {
    this.#db = db
  }

  async of(userId: string): Promise<string | null> {
    if (performance.now() - this.#readAt > BELIEVED_MS) await this.read()
    return this.#workers[shardOf(userId)] ?? null
  }

  read(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = null))
    return this.#reading
  }

  async #read(): Promise<void> {
    const began = performance.now()
    const rows = await this.#db.selectFrom('shard').select(['id', 'worker']).orderBy('id').execute()
    this.#workers = rows.map(({ worker }) => worker)
    this.#readAt = began
  }
}
