import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { FACTS_VERSION } from './facts.ts'
import type { Db } from './handle.ts'

/** Accounts are spread over so many shards, for ever. */
export const SHARDS = 256

/** As `shard_of` of the tables: the first byte of MD5. */
export const shardOf = (userId: string): number => createHash('md5').update(userId).digest().readUInt8(0)

/** How a process owns a shard. */
export interface Owned {
  /** Named by each commit of its accounts; who takes the shard afterwards has a higher one. */
  readonly epoch: number
  /** How long orders that were on their way when the owner before ended may still reach the broker and be listed, ms. */
  readonly inheritedMs: number
}

/** The shards that this process owns, as far as it knows. */
export class OwnedShards {
  readonly #owned = new Map<number, Owned & { readonly takenAt: number }>()
  readonly #now: () => number

  /** `now`: of the process' even clock, ms. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  take(shard: number, owned: Owned): void {
    this.#owned.set(shard, { ...owned, takenAt: this.#now() })
  }

  drop(shard: number): void {
    this.#owned.delete(shard)
  }

  has(shard: number): boolean {
    return this.#owned.has(shard)
  }

  /** Whether the user's account is this process' own. */
  isOwn(userId: string): boolean {
    return this.has(shardOf(userId))
  }

  /** With the time at which it was taken. Undefined where the user's account is not this process' own. */
  of(userId: string): (Owned & { readonly takenAt: number }) | undefined {
    return this.#owned.get(shardOf(userId))
  }

  epochOf(shard: number): number | undefined {
    return this.#owned.get(shard)?.epoch
  }

  /** For how long it has been this process' own, ms. */
  ageOf(shard: number): number {
    const now = this.#now()
    return now - (this.#owned.get(shard)?.takenAt ?? now)
  }

  all(): number[] {
    return [...this.#owned.keys()]
  }
}

/**
 * Counts the epochs of these shards up, and of their accounts. To be called in a transaction of the one that takes them: a
 * commit of the owner before comes before it, or sees the new epoch and writes nothing. `facts`: what the new owner may write from
 * now on. Returns the epochs by shard.
 */
export async function claimShards(
  db: Db,
  shards: readonly number[],
  worker: string | null,
  facts: number = FACTS_VERSION,
): Promise<ReadonlyMap<number, number>> {
  const claimed = await db
    .updateTable('shard')
    .set((column) => ({
      epoch: column('epoch', '+', 1),
      worker,
      released: false,
      former: null,
      facts: sql<number>`greatest(facts, ${facts})`,
    }))
    .where('id', 'in', shards)
    .returning(['id', 'epoch'])
    .execute()
  // In the order in which commits lock them: neither waits for the other.
  await sql`select 1 from account where shard_of(user_id) = any(${shards}::bigint[]) order by user_id for update`.execute(
    db,
  )
  await sql`
    update account set epoch = shard.epoch from shard
    where shard.id = shard_of(account.user_id) and shard.id = any(${shards}::bigint[])`.execute(db)
  return new Map(claimed.map(({ id, epoch }) => [id, epoch]))
}
