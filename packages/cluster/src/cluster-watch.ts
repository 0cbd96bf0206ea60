import { sql } from 'kysely'
import { type Db, evenClock, every } from '@digger/database'
import { LEASE_S } from './worker-rows.ts'

const LOOK_INTERVAL_MS = 2_000

export interface WorkerSeen {
  readonly id: string
  readonly version: string
  readonly facts: number
  readonly host: string
  /** Epoch ms. */
  readonly since: number
  /** What is left of its lease, ms; below zero it is over. */
  readonly leaseMs: number
  /** Since it was last renewed, ms; both by the clock of the database. */
  readonly leaseAgeMs: number
  readonly alive: boolean
  readonly draining: boolean
  /** Found dead, and not gone from the table yet. */
  readonly buried: boolean
  readonly shards: number
}

export interface ClusterView {
  readonly workers: readonly WorkerSeen[]
  /** Shards without a living owner. */
  readonly unowned: readonly number[]
}

/** Who is there and who has what, by the tables as they are now. */
export async function readCluster(db: Db): Promise<ClusterView> {
  const rows = await db
    .selectFrom('worker')
    .select(['id', 'version', 'facts', 'host', 'since', 'draining', 'buried'])
    .select(sql<number>`(extract(epoch from until - now()) * 1000)::float8`.as('leaseMs'))
    .orderBy('since')
    .execute()
  const shards = await db.selectFrom('shard').select(['id', 'worker']).orderBy('id').execute()
  const living = new Set(rows.filter(({ leaseMs, buried }) => !buried && leaseMs > 0).map(({ id }) => id))
  const counts = Map.groupBy(shards, ({ worker }) => worker)
  return {
    workers: rows.map(({ since, ...row }) => ({
      ...row,
      since: since.getTime(),
      leaseAgeMs: LEASE_S * 1_000 - row.leaseMs,
      alive: living.has(row.id),
      shards: counts.get(row.id)?.length ?? 0,
    })),
    unowned: shards.filter(({ worker }) => worker === null || !living.has(worker)).map(({ id }) => id),
  }
}

/** Looks at the tables every two seconds, and remembers since when a shard has had no living owner. */
export class ClusterWatch {
  readonly #db: Db
  readonly #clock: typeof evenClock
  readonly #since = new Map<number, number>()
  #workers: readonly WorkerSeen[] = []
  #end: (() => void) | null = null

  constructor(db: Db, clock = evenClock) {
    this.#db = db
    this.#clock = clock
  }

  async begin(): Promise<void> {
    await this.look()
    // A database that is away shows elsewhere.
    this.#end = every(this.#clock, LOOK_INTERVAL_MS, () => void this.look().catch(() => undefined))
  }

  end(): void {
    this.#end?.()
  }

  async look(): Promise<void> {
    const { workers, unowned } = await readCluster(this.#db)
    this.#workers = workers
    const now = this.#clock.now()
    const without = new Set(unowned)
    for (const shard of this.#since.keys()) if (!without.has(shard)) this.#since.delete(shard)
    for (const shard of without) if (!this.#since.has(shard)) this.#since.set(shard, now)
  }

  get workers(): readonly WorkerSeen[] {
    return this.#workers
  }

  /** How many shards have no living owner, and for how long the oldest of them, ms. */
  get unowned(): { readonly shards: number; readonly ms: number } {
    const oldest = Math.min(...this.#since.values())
    return { shards: this.#since.size, ms: this.#since.size === 0 ? 0 : this.#clock.now() - oldest }
  }
}
