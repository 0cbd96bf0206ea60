import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Pool } from 'pg'
import { realClock } from '../clock.ts'
import { poolOf } from '../connections.ts'
import type { ReclaimCheck } from '../engine-lock.ts'
import { DatabaseError } from '../errors.ts'
import { KERNEL_LEASE, type Lease } from '../lease.ts'
import { types } from '../parsers.ts'
import { Engine } from './engine.ts'
import { lockFolder } from './lock.ts'
import { keepPrivate } from './private.ts'
import { startUpkeep } from './upkeep.ts'
import { EngineSocket } from './wire.ts'

/** Recovery writes one file of its log (16 MB) at least. */
const MIN_ROOM_MB = 32
/** A restart overlaps the end of the process before it. */
const LOCK_TIMEOUT_MS = 5_000

export interface OpenedPool {
  readonly pool: Pool
  readonly lease: Lease
  readonly failed: Promise<Error>
  /** What is asked before a lock that was lost counts again, where a lock can be lost. */
  beforeReclaim?(check: ReclaimCheck): void
  close(): Promise<void>
}

/** PostgreSQL inside this process, in `dataDir`/database. */
export async function openEmbedded(dataDir: string, lockWaitMs = LOCK_TIMEOUT_MS): Promise<OpenedPool> {
  const home = resolve(dataDir)
  assertUsable(home)
  const unlock = await lockFolder(home, lockWaitMs)
  try {
    keepPrivate(home)
  } catch (error) {
    await unlock()
    throw error
  }
  const engine = new Engine(join(home, 'database'))
  try {
    await engine.ready()
    const pool = poolOn(engine)
    await selfTest(pool, engine)
    const stopUpkeep = startUpkeep(pool, realClock, (line) => void process.stderr.write(`${line}\n`))
    return {
      pool,
      lease: KERNEL_LEASE,
      failed: engine.failed,
      async close() {
        stopUpkeep()
        await pool.query('checkpoint').catch(() => undefined)
        await pool.end()
        await engine.stop()
        await unlock()
      },
    }
  } catch (error) {
    await engine.stop()
    await unlock()
    const why = error instanceof Error ? error.message : String(error)
    throw new DatabaseError(`${home}의 데이터베이스를 열지 못했습니다: ${why}${lowSpaceNote(home)}`, { cause: error })
  }
}

/** The engine does not say that the disk is full, only that it could not start. */
function lowSpaceNote(home: string): string {
  const { bavail, bsize } = statfsSync(home)
  const mb = Math.floor((bavail * bsize) / (1 << 20))
  return mb < MIN_ROOM_MB ? ` — 디스크에 남은 자리가 ${mb} MB뿐입니다. 자리를 만들고 다시 켜 주세요.` : ''
}

function assertUsable(home: string): void {
  if (!existsSync(home)) return
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new DatabaseError(`${home} 폴더를 읽고 쓸 수 없습니다. 권한을 확인하거나 DATA_DIR을 바꿔 주세요.`, {
      cause: error,
    })
  }
}

/** Its errors are nobody's to hear: `failed` reports the engine's end. */
const poolOn = (engine: Engine): Pool =>
  poolOf({
    // The engine has one session. A query outside an open transaction's handle would wait for itself.
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 30_000,
    user: 'postgres',
    database: 'postgres',
    types,
    stream: () => new EngineSocket(engine),
  })

/** Money is entrusted only to a disk that commits really reach. */
async function selfTest(pool: Pool, engine: Engine): Promise<void> {
  const show = async (name: string) => {
    const { rows } = await pool.query<Record<string, string>>(`show ${name}`)
    return rows[0]?.[name]
  }
  if ((await show('fsync')) !== 'on' || (await show('wal_sync_method')) !== 'fsync') {
    throw new DatabaseError('fsync가 꺼져 있습니다.')
  }
  await pool.query('create table if not exists start_test (id bigint primary key, starts bigint not null)')
  const before = engine.fsyncCount
  await pool.query('insert into start_test values (1, 1) on conflict (id) do update set starts = start_test.starts + 1')
  if (engine.fsyncCount === before) throw new DatabaseError('기록이 디스크에 닿지 않습니다.')
}
