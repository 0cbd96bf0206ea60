import type { Pool } from 'pg'
import { poolOf } from './connections.ts'
import type { OpenedPool } from './embedded/open.ts'
import { CONNECTION_NAME, takeEngineLock } from './engine-lock.ts'
import { DatabaseError } from './errors.ts'
import { NO_LEASE } from './lease.ts'
import { types } from './parsers.ts'
import { socketCutWhenSilent } from './silent-line.ts'

const MIN_VERSION = 14
const STATEMENT_TIMEOUT_MS = 30_000
/** A database that is there says by then that a statement took too long. */
const SILENCE_MS = STATEMENT_TIMEOUT_MS + 5_000

interface Waits {
  readonly silenceMs?: number
  /** For a process before us to leave the database. */
  readonly lockWaitMs?: number | undefined
}

/**
 * A PostgreSQL server. `exclusive`: refuse when another Digger runs on this database, since two of them would trade
 * the same accounts twice.
 */
export async function openPostgres(
  url: string,
  exclusive: boolean,
  { silenceMs = SILENCE_MS, lockWaitMs }: Waits = {},
): Promise<OpenedPool> {
  const where = describe(url)
  const pool = poolOf({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    stream: () => socketCutWhenSilent(silenceMs),
    idle_in_transaction_session_timeout: 60_000,
    application_name: CONNECTION_NAME,
    types,
  })
  try {
    await assertVersion(pool, where)
    const lock = exclusive ? await takeEngineLock(url, where, { waitMs: lockWaitMs }) : null
    return {
      pool,
      lease: lock?.lease ?? NO_LEASE,
      failed: lock?.failed ?? new Promise<Error>(() => undefined),
      beforeReclaim: (check) => lock?.beforeReclaim(check),
      async close() {
        await lock?.release()
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}

/** The address without user and password. */
function describe(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `${host}${pathname}`
  } catch (error) {
    throw new DatabaseError('DATABASE_URL은 postgres://사용자:비밀번호@주소:포트/이름 꼴이어야 합니다.', {
      cause: error,
    })
  }
}

async function assertVersion(pool: Pool, where: string): Promise<void> {
  const { rows } = await pool.query<{ server_version: string }>('show server_version').catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    throw new DatabaseError(`DATABASE_URL(${where})에 연결하지 못했습니다: ${why}`, { cause: error })
  })
  const version = rows[0]?.server_version ?? ''
  if (!(Number.parseInt(version, 10) >= MIN_VERSION)) {
    throw new DatabaseError(`${where}의 PostgreSQL ${version}은 너무 오래됐습니다. ${MIN_VERSION} 이상이 필요합니다.`)
  }
}
