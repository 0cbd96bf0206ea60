import { sql } from 'kysely'
import type { Db } from '@digger/database'
import { WORKER_LOCKS } from './locks.ts'
import { type LiveWorker, liveWorkers } from './worker-rows.ts'

/** Second number of the lock that drainings wait for; those of workers begin with 1. */
const DRAIN_LOCK = 0

/** `gone`: no such worker is there; `needed`: nobody else could take the shards. */
export type DrainOutcome = 'done' | 'gone' | 'needed'

/**
 * Asks a worker to let all its shards go and to take none, or takes that back. It reads this with its next renewal, about a second
 * later, and stays until it is ended.
 */
export async function setDraining(db: Db, id: string, draining: boolean): Promise<DrainOutcome> {
  return await db.transaction().execute(async (change) => {
    // One after the other: two that are drained in the same moment would count on each other.
    await sql`select pg_advisory_xact_lock(${WORKER_LOCKS}, ${DRAIN_LOCK})`.execute(change)
    const live = await liveWorkers(change)
    const worker = live.find((one) => one.id === id)
    if (worker === undefined) return 'gone'
    if (draining && !worker.draining && !(await canSpare(change, worker, live))) return 'needed'
    const { numUpdatedRows } = await change
      .updateTable('worker')
      .set({ draining })
      .where('id', '=', id)
      .where('buried', '=', false)
      .executeTakeFirst()
    return numUpdatedRows > 0n ? 'done' : 'gone'
  })
}

/** Whether another worker can take every shard that this one can. */
async function canSpare(db: Db, worker: LiveWorker, live: readonly LiveWorker[]): Promise<boolean> {
  const highest = await db
    .selectFrom('shard')
    .select('facts')
    .where('facts', '<=', worker.facts)
    .orderBy('facts', 'desc')
    .limit(1)
    .executeTakeFirst()
  return live.some(({ id, draining, facts }) => id !== worker.id && !draining && facts >= (highest?.facts ?? 0))
}
