import { hostname } from 'node:os'
import { readOverview, setDraining } from '@digger/cluster'
import { Refused, type ServerState } from '@digger/contract'
import { kstIso } from '@digger/core'
import { ownVersion } from '@digger/database'
import { readServerStop } from '@digger/storage'
import type { Handlers } from '@digger/http'
import type { Services } from '../services.ts'

export type WorkerCalls = 'adminServer' | 'drainWorker'

const GONE = '그런 워커가 없거나 응답하지 않습니다. 서버 화면을 새로 고쳐 주세요.'
const NEEDED = '계좌를 넘겨받을 다른 워커가 없어 비울 수 없습니다. 워커를 하나 더 켠 뒤 다시 해 주세요.'
/** Rows of workers that shared this database before are nobody's. */
const ALONE = { workers: [], unowned: 0, moves: [] }

/** Who shares the accounts, by the tables alone: any process answers. */
export const workerHandlers = (services: Services): Pick<Handlers, WorkerCalls> => ({
  adminServer: () => serverState(services),
  async drainWorker({ params, body: { draining }, note }) {
    note(draining ? '모두 내려놓기' : '다시 맡기')
    const outcome = await setDraining(services.database.db, params.worker, draining)
    if (outcome === 'gone') throw new Refused('NOT_FOUND', GONE)
    if (outcome === 'needed') throw new Refused('CONFLICT', NEEDED)
    return serverState(services)
  },
})

async function serverState({ database: { db }, cluster }: Services): Promise<ServerState> {
  const { role, worker } = cluster?.status() ?? { role: 'all' as const, worker: null }
  const { stop, why } = await readServerStop(db)
  const { workers, unowned, moves } = role === 'all' ? ALONE : await readOverview(db)
  return {
    role,
    self: { worker, version: ownVersion(), host: hostname(), since: kstIso(Math.round(performance.timeOrigin)) },
    workers: workers.map((one) => ({ ...one, since: kstIso(one.since) })),
    unowned,
    moves: moves.map((move) => ({ ...move, at: kstIso(move.at) })),
    stop: { is: stop, why },
  }
}
