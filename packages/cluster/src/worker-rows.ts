import { sql } from 'kysely'
import type { Client } from 'pg'
import { type Db, inheritedFrom, ownVersion, type Process, thisProcess } from '@digger/database'

/** A worker's row counts so long from each renewal, s by the clock of the database. */
export const LEASE_S = 5

/** Orders of an owner that let its shard go: its time-out (20 s), after which the connection is reset, and the listing lag, ms. */
const RELEASED_MS = 40_000

/** The stop of the whole server as it stands in the tables. */
export interface StopRow {
  readonly value: string
  readonly why: string | null
  readonly version: number
}

export interface LiveWorker {
  readonly id: string
  /** Number of the advisory lock that its session holds. */
  readonly lock: number
  readonly version: string
  /** Which kinds of facts its program reads. */
  readonly facts: number
  readonly draining: boolean
}

/** What is sealed for a worker, and that it is one of the cluster. */
export interface WorkerKey {
  readonly publicKey: Buffer
  readonly proof: Buffer
  readonly signature: Buffer
}

interface NewWorker {
  /** Number of the advisory lock that its session holds. */
  readonly lock: number
  /** Which kinds of facts it reads. */
  readonly facts: number
  readonly key: WorkerKey | null
  /** The worker that this process was before: what an operator asked of that one holds for it. */
  readonly former: string | null
}

/** Written by the session that holds the worker's lock already: a free lock means that the session is gone. */
export async function writeWorker(session: Client, id: string, worker: NewWorker): Promise<void> {
  const { host, pid, pid_namespace, boot_id, started, tcp_retries } = thisProcess()
  const { lock, facts, key, former } = worker
  const process = [host, pid, pid_namespace, boot_id, started, tcp_retries]
  await session.query(
    `insert into worker (id, version, lock, facts, public_key, proof, signature, host, pid, pid_namespace, boot_id, started, tcp_retries, until,
       draining)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, now() + $14 * interval '1 s',
       coalesce((select draining from worker where id = $15), false))`,
    [id, ownVersion(), lock, facts, key?.publicKey, key?.proof, key?.signature, ...process, LEASE_S, former],
  )
}

/** What a worker learns with each renewal. */
export interface Renewed extends Pick<LiveWorker, 'draining'> {
  /** As it stood when the renewal was asked for; null: nobody has ever set it. */
  readonly stop: StopRow | null
}

/** `stopSeen`: version of the stop that the worker has applied. Null: it was found dead meanwhile, and must not go on. */
export async function renewWorker(session: Client, id: string, stopSeen: number): Promise<Renewed | null> {
  const { rows } = await session.query<Renewed>(
    `update worker set until = now() + $2 * interval '1 s', stop_seen = $3 where id = $1 and not buried
     returning draining, (
       select jsonb_build_object('value', value, 'why', why, 'version', version)
       from server_setting where name = 'serverStop'
     ) as stop`,
    [id, LEASE_S, stopSeen],
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

/**
 * Those whose lease ended a day ago, and whose shards others have: until then the row says how long orders of its process may still
 * come. One that stands still for so long finds itself dead as if it had been buried.
 */
export const dropLongDead = (db: Db): Promise<unknown> =>
  db
    .deleteFrom('worker')
    .where(sql<boolean>`until < now() - interval '1 day'`)
    .where(sql<boolean>`not exists (select from shard where shard.worker = worker.id)`)
    .execute()

/** How long orders of the owner before may still reach the broker and be listed, ms. `released`: it let the shard go itself. */
export const inheritedOf = (released: boolean, before: Process | undefined): number =>
  released ? RELEASED_MS : inheritedFrom(before)
