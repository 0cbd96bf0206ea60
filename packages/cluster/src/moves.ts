import { sql } from 'kysely'
import type { Db, ShardMoveRow } from '@digger/database'

/** So many rows are kept: some days of restarts. */
const KEPT = 300
/** Shards go from one to another in several transactions, ms: what is no further apart is one move. */
const ONE_MOVE_MS = 60_000

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

/** Shards that one worker took from another, or that nobody had. */
export interface Move extends Pick<ShardMoveRow, 'worker' | 'former' | 'why' | 'shards'> {
  /** When the last of them was taken, epoch ms. */
  readonly at: number
}

/** The last moves, newest first. */
export async function lastMoves(db: Db, count: number): Promise<Move[]> {
  const rows = await db.selectFrom('shard_move').selectAll().orderBy('id', 'desc').limit(KEPT).execute()
  const moves: (Move & { first: number })[] = []
  for (const { at: taken, worker, former, why, shards } of rows) {
    const at = taken.getTime()
    const same = moves.findLast((move) => move.worker === worker && move.former === former && move.why === why)
    if (same === undefined || same.first - at > ONE_MOVE_MS) moves.push({ at, first: at, worker, former, why, shards })
    else Object.assign(same, { first: at, shards: same.shards + shards })
  }
  return moves.slice(0, count).map(({ first: _first, ...move }) => move)
}
