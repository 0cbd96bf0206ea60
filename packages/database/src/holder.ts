import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ClientBase } from 'pg'
import { bootNow } from './boot-clock.ts'
import { type Clock, every, realClock } from './clock.ts'
import { DatabaseError, TakenOverError } from './errors.ts'
import { FACTS_VERSION } from './facts.ts'
import type { Db } from './handle.ts'
import { claimShards, OwnedShards, SHARDS } from './shards.ts'
import type { EngineHolderRow } from './tables.ts'

/** How long the kernel of a dead process still sends: eight tries, the last some 60 s after the first; measured 50 s. With the listing lag, ms. */
const DEAD_MS = 120_000
/** How long the kernel of a frozen process still sends, by Linux' own 15 tries: some 924 s. With the listing lag, ms. */
const FROZEN_MS = 960_000
/** A living connection with no more tries than this gives up as soon as a dead one. */
const MAX_QUICK_TRIES = 8
/** How often the holder writes that it is there, ms: also the proof that the database can be written. */
const SEEN_INTERVAL_MS = 3_000

const bootClock: Clock = { now: bootNow, after: (ms, run) => realClock.after(ms, run) }

/** A process as its machine knows it; another start on another machine or in another container differs. */
export type Process = Omit<EngineHolderRow, 'id' | 'seen_at'>

export interface Holder {
  /** All of them. */
  readonly owned: OwnedShards
  /** Resolves when another process has written itself in. */
  readonly replaced: Promise<Error>
  /** Throws TakenOverError when another process has written itself in; asked on a connection of the caller's. */
  readonly assertStill: (client: ClientBase) => Promise<void>
  /** Ms since the database last took a write of ours, by boot time. */
  silentMs(): number
  stop(): void
}

/**
 * Writes this process in as the one that trades, and says how long orders of the one before may still come. `clock`: one that goes on
 * while the process stands still.
 */
export async function takeOver(db: Db, kind: 'embedded' | 'postgres', clock = bootClock): Promise<Holder> {
  const me = thisProcess()
  const before = await db.selectFrom('engine_holder').selectAll().executeTakeFirst()
  const row = { ...me, seen_at: Date.now() }
  await db
    .insertInto('engine_holder')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
  // Whoever had this folder is gone, by its lock. Rows that came from elsewhere say nothing about who had them there.
  const isGone = kind === 'embedded' && before !== undefined
  const owned = await takeAllShards(db, isGone ? DEAD_MS : inheritedFrom(before))
  const replaced = Promise.withResolvers<Error>()
  let writtenAt = clock.now()
  let isWriting = false
  const renew = async (): Promise<void> => {
    const began = clock.now()
    if (!(await isStillHolder(db, me))) return replaced.resolve(new TakenOverError())
    writtenAt = began
  }
  const stop = every(clock, SEEN_INTERVAL_MS, () => {
    if (isWriting) return
    isWriting = true
    // A failure shows in how long nothing was written; whether to end is decided where the database is lost for good.
    void renew()
      .catch(() => undefined)
      .finally(() => (isWriting = false))
  })
  return {
    owned,
    replaced: replaced.promise,
    async assertStill(client) {
      const { rowCount } = await client.query(
        'select 1 from engine_holder where pid = $1 and started = $2 and boot_id = $3',
        [me.pid, me.started, me.boot_id],
      )
      if (rowCount === 0) throw new TakenOverError()
    },
    silentMs: () => clock.now() - writtenAt,
    stop,
  }
}

async function takeAllShards(db: Db, inheritedMs: number): Promise<OwnedShards> {
  const every = Array.from({ length: SHARDS }, (_, shard) => shard)
  const { facts } = await db
    .selectFrom('shard')
    .select(({ fn }) => fn.max('facts').as('facts'))
    .executeTakeFirstOrThrow()
  if (facts > FACTS_VERSION) throw new DatabaseError(NEWER_FACTS)
  const epochs = await db.transaction().execute((transaction) => claimShards(transaction, every, null))
  const owned = new OwnedShards()
  for (const [shard, epoch] of epochs) owned.take(shard, { epoch, inheritedMs })
  return owned
}

const NEWER_FACTS =
  '이 데이터베이스의 계좌를 더 새 Digger가 맡은 적이 있어 지금 것으로는 기록을 다 읽지 못합니다. 그 버전 이상을 다시 설치해 켜 주세요.'

/** False when the row names another process by now. */
async function isStillHolder(db: Db, { pid, started, boot_id }: Process): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('engine_holder')
    .set({ seen_at: Date.now() })
    .where('pid', '=', pid)
    .where('started', '=', started)
    .where('boot_id', '=', boot_id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** How long orders of that process may still reach the broker and be listed, ms. Nobody known: the longest. */
export function inheritedFrom(before: Process | undefined): number {
  if (before === undefined) return FROZEN_MS
  if (before.tcp_retries !== null && before.tcp_retries <= MAX_QUICK_TRIES) return DEAD_MS
  return isDead(before) ? DEAD_MS : FROZEN_MS
}

/** Known only on a machine that has run since, and among the same process numbers. */
function isDead(before: Process): boolean {
  const me = thisProcess()
  if (before.boot_id !== me.boot_id || before.pid_namespace !== me.pid_namespace || me.boot_id === '') return false
  return startOf(before.pid) !== before.started
}

export function thisProcess(): Process {
  return {
    host: hostname(),
    pid: process.pid,
    pid_namespace: linkOr('/proc/self/ns/pid', ''),
    boot_id: textOr('/proc/sys/kernel/random/boot_id', ''),
    started: startOf(process.pid),
    tcp_retries: numberOrNull(textOr('/proc/sys/net/ipv4/tcp_retries2', '')),
  }
}

/** Ticks since boot at which the process started (field 22 of its stat); empty when there is none. */
const startOf = (pid: number): string =>
  textOr(`/proc/${pid}/stat`, '')
    .replace(/^.*\) /s, '')
    .split(' ')[19] ?? ''

const numberOrNull = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null)

function textOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return otherwise
  }
}

function linkOr(path: string, otherwise: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return otherwise
  }
}
