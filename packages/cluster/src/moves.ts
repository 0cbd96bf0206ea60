import { sql } from 'kysely'
import type { Db } from '@digger/database'

/** So many rows are kept: some days of restarts. */
const KEPT = 300

interface FreeShard {
  readonly worker: string | null
  readonly released: boolean
  readonly former: string | null
}

/** Writes down who took how many shards from whom, in the transaction that takes them. */
export async function noteMoves(claim: Db, worker: string, taken: readonly FreeShard[]): Promise<void> {
  const groups = Map.groupBy(taken, (shard) => `${whyOf(worker, shard)} ${shard.worker ?? shard.former ?? ''}`)
  const rows = [...groups.values()].flatMap((shards) => {
    const [one] = shards
    return one === undefined
      ? []
      : [{ worker, former: one.worker ?? one.former, why: whyOf(worker, one), shards: shards.length }]
  })
  if (rows.length === 0) return
  await claim.insertInto('shard_move').values(rows).execute()
  await sql`delete from shard_move where id <= (select max(id) from shard_move) - ${KEPT}`.execute(claim)
}

function whyOf(worker: string, shard: FreeShard): 'free' | 'released' | 'dead' | 'again' {
  if (shard.worker === worker) return 'again'
  if (shard.worker !== null) return 'dead'
  return shard.released ? 'released' : 'free'
}
