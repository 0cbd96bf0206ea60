import { claimShards, type Db, type Owned, type Process } from '@digger/database'
import { noteMoves } from './moves.ts'
import { inheritedOf } from './worker-rows.ts'

export interface ShardRow {
  readonly id: number
  readonly epoch: number
  readonly worker: string | null
  /** Whoever reads fewer kinds of facts must not have it. */
  readonly facts: number
}

export const shardRows = (db: Db): Promise<ShardRow[]> =>
  db.selectFrom('shard').select(['id', 'epoch', 'worker', 'facts']).orderBy('id').execute()

/**
 * Takes those of these shards that nobody has, that this worker has by the tables only, or that one had who was found dead. Returns
 * how they are owned now; none when this worker was found dead itself. `facts`: which kinds it reads.
 */
export async function takeFree(
  db: Db,
  { id: me, facts }: { readonly id: string; readonly facts: number },
  wanted: readonly number[],
): Promise<ReadonlyMap<number, Owned>> {
  if (wanted.length === 0) return new Map()
  return await db.transaction().execute(async (claim) => {
    const alive = await claim
      .selectFrom('worker')
      .select('id')
      .where('id', '=', me)
      .where('buried', '=', false)
      .forShare()
      .execute()
    if (alive.length === 0) return new Map<number, Owned>()
    const free = await lockFree(claim, { id: me, facts }, wanted)
    if (free.length === 0) return new Map<number, Owned>()
    const single = await claim.selectFrom('engine_holder').selectAll().executeTakeFirst()
    const epochs = await claimShards(
      claim,
      free.map(({ shard }) => shard),
      me,
      facts,
    )
    await noteMoves(claim, me, free)
    return new Map(
      free.map((row) => {
        const inheritedMs = inheritedOf(row.released, row.worker === null ? single : processOf(row))
        return [row.shard, { epoch: epochs.get(row.shard) ?? 0, inheritedMs }]
      }),
    )
  })
}

/** Locks those that may be taken, and says whose they were. */
async function lockFree(
  claim: Db,
  { id: me, facts }: { readonly id: string; readonly facts: number },
  wanted: readonly number[],
) {
  // In the order in which everybody locks them. One that another worker is about to take is his.
  const locked = await claim
    .selectFrom('shard')
    .select('id')
    .where('id', 'in', [...wanted])
    .where('facts', '<=', facts)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute()
  if (locked.length === 0) return []
  const ids = locked.map(({ id }) => id)
  const former = await claim
    .selectFrom('shard')
    .leftJoin('worker', 'worker.id', 'shard.worker')
    .select([
      'shard.id as shard',
      'shard.worker',
      'shard.released',
      'shard.former',
      'worker.id as known',
      'worker.buried',
    ])
    .select(['host', 'pid', 'pid_namespace', 'boot_id', 'started', 'tcp_retries'])
    .where('shard.id', 'in', ids)
    .execute()
  return former.filter(
    ({ worker, known, buried }) => worker === null || worker === me || known === null || buried === true,
  )
}

/** Undefined where its row is gone. */
function processOf(row: { readonly [K in keyof Process]: Process[K] | null }): Process | undefined {
  const { host, pid, pid_namespace, boot_id, started, tcp_retries } = row
  if (host === null || pid === null || pid_namespace === null || boot_id === null || started === null) return undefined
  return { host, pid, pid_namespace, boot_id, started, tcp_retries }
}

/** Whoever is chosen takes them next. `clean`: nothing of them is on the wire. */
export async function release(
  db: Db,
  me: string,
  shards: readonly number[],
  { clean }: { clean: boolean },
): Promise<void> {
  if (shards.length === 0) return
  await db
    .updateTable('shard')
    .set({ worker: null, released: clean, former: me })
    .where('id', 'in', [...shards])
    .where('worker', '=', me)
    .execute()
}
