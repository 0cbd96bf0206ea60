import { sql } from 'kysely'
import type { Client } from 'pg'
import { type Db, inheritedFrom, ownVersion, type Process, thisProcess } from '@digger/database'

/** A worker's row counts so long from each renewal, s by the clock of the database. */
const LEASE_S = 5

/** Orders of an owner that let its shard go: its time-out (20 s), after which the connection is reset, and the listing lag, ms. */
const RELEASED_MS = 40_000

export interface LiveWorker {
  readonly id: string
  /** Number of the advisory lock that its session holds. */
  readonly lock: number
  readonly version: string
  /** Which kinds of facts its program reads. */
  readonly facts: number
  readonly draining: boolean
}

/** Written by the session that holds the worker's lock already: a free lock means that the session is gone. */
export async function writeWorker(
  session: Client,
  { id, facts }: { readonly id: string; readonly facts: number },
  lock: number,
): Promise<void> {
  const { host, pid, pid_namespace, boot_id, started, tcp_retries } = thisProcess()
  await session.query(
    `insert into worker (id, version, lock, host, pid, pid_namespace, boot_id, started, tcp_retries, facts, until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + $11 * interval '1 s')`,
    [id, ownVersion(), lock, host, pid, pid_namespace, boot_id, started, tcp_retries, facts, LEASE_S],
  )
}

/** Null: it was found dead meanwhile, and must not go on. */
export async function renewWorker(session: Client, id: string): Promise<Pick<LiveWorker, 'draining'> | null> {
  const { rows } = await session.query<{ draining: boolean }>(
    `update worker set until = now() + $2 * interval '1 s' where id = $1 and not buried returning draining`,
    [id, LEASE_S],
  )
  return rows[0] ?? null
}

export async function liveWorkers(db: Db): Promise<LiveWorker[]> {
  return await db
    .selectFrom('worker')
    .select(['id', 'lock', 'version', 'facts', 'draining'])
    .where('buried', '=', false)
    .where(sql<boolean>`until > now()`)
    .orderBy('id')
    .execute()
}

/** Whether what it owned may be taken now. `sessionIsGone`: its lock was free, so it need not be waited for. */
export async function buryWorker(db: Db, id: string, { sessionIsGone }: { sessionIsGone: boolean }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('worker')
    .set({ buried: true })
    .where('id', '=', id)
    .where(sessionIsGone ? sql<boolean>`true` : sql<boolean>`until < now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** It owns nothing any more, and ends. */
export const removeWorker = (db: Db, id: string): Promise<unknown> =>
  db.deleteFrom('worker').where('id', '=', id).execute()

/** How long orders of the owner before may still reach the broker and be listed, ms. `released`: it let the shard go itself. */
export const inheritedOf = (released: boolean, before: Process | undefined): number =>
  released ? RELEASED_MS : inheritedFrom(before)
