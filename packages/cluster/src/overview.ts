import type { Db } from '@digger/database'
import { readCluster } from './cluster-watch.ts'
import { lastMoves, type Move } from './moves.ts'

const MOVES = 30
/** The dead are shown for so long, ms. */
const DEAD_SHOWN_MS = 3_600_000

const WHY: Readonly<Record<Move['why'], string>> = {
  free: '맡은 워커가 없었습니다',
  released: '앞 워커가 내려놓았습니다',
  dead: '앞 워커의 응답이 끊겼습니다',
  again: '같은 워커가 다시 맡았습니다',
}

/** Who shares the accounts, for people. Times are epoch ms, ages seconds by the clock of the database. */
export async function readOverview(db: Db) {
  const { workers, unowned } = await readCluster(db)
  const moves = await lastMoves(db, MOVES)
  return {
    unowned: unowned.length,
    workers: workers
      .filter(({ alive, leaseMs }) => alive || leaseMs > -DEAD_SHOWN_MS)
      .map(({ id, version, host, since, leaseAgeMs, draining, alive, shards }) => {
        const leaseAge = Math.max(0, Math.round(leaseAgeMs / 100) / 10)
        return { id, version, host, since, leaseAge, draining, alive, shards }
      }),
    moves: moves.map(({ at, shards, former, worker, why }) => {
      return { at, shards, from: former, to: worker, why: WHY[why] }
    }),
  }
}
