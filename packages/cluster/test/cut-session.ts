import type { Database } from '@digger/database'
import { WORKER_LOCKS } from '../src/locks.ts'

/** Ends the backend that holds the worker's own lock. */
export const cutSession = ({ pool }: Database, worker: string | null | undefined): Promise<unknown> =>
  pool.query(
    `select pg_terminate_backend(l.pid) from pg_locks l join worker w on w.lock = l.objid
     where l.locktype = 'advisory' and l.classid = $1 and l.mode = 'ExclusiveLock' and l.granted and w.id = $2`,
    [WORKER_LOCKS, worker],
  )
