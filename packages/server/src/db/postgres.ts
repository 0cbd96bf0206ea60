import { Client, Pool } from 'pg'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from './errors.ts'
import { surviveCuts } from './cuts.ts'
import type { OpenedPool } from './embedded/open.ts'
import { types } from './parsers.ts'

const OLDEST_VERSION = 14
/** Key of the advisory lock "this database has its one engine" (any number, ours). */
const ENGINE_LOCK = 4_218_017
const CLAIM_WAIT_MS = 5_000
const CLAIM_RETRY_MS = 500
/** A database restart or failover takes this long at most before the server gives up. */
const RECLAIM_WAIT_MS = 120_000

const NAME = `digger ${hostname()} ${process.pid}`

/**
 * A PostgreSQL server. `exclusive`: refuse when another Digger runs on this database, since two of them would trade
 * the same accounts twice.
 */
export async function openPostgres(url: string, exclusive: boolean): Promise<OpenedPool> {
  const where = describe(url)
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: NAME,
    types,
  })
  surviveCuts(pool)
  try {
    await assertVersion(pool, where)
    const claim = exclusive ? await claimDatabase(url, where, CLAIM_WAIT_MS) : null
    return {
      pool,
      failed: claim?.failed ?? new Promise<Error>(() => undefined),
      async close() {
        await claim?.release()
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
  if (!(Number.parseInt(version, 10) >= OLDEST_VERSION)) {
    throw new DatabaseError(
      `${where}의 PostgreSQL ${version}은 너무 오래됐습니다. ${OLDEST_VERSION} 이상이 필요합니다.`,
    )
  }
}

interface Claim {
  readonly failed: Promise<Error>
  release(): Promise<void>
}

/** Holds the advisory lock on a connection of its own, and takes it again when the server restarts. */
async function claimDatabase(url: string, where: string, waitMs: number): Promise<Claim> {
  const failed = Promise.withResolvers<Error>()
  let released = false
  let holder = await takeLock(url, where, waitMs)
  const lost = (): void => {
    if (released) return
    takeLock(url, where, RECLAIM_WAIT_MS).then(
      (client) => hold(client),
      (error: unknown) => failed.resolve(error instanceof Error ? error : new DatabaseError(String(error))),
    )
  }
  const hold = (client: Client): void => {
    holder = client
    client.once('end', lost)
  }
  hold(holder)
  return {
    failed: failed.promise,
    async release() {
      released = true
      await holder.end()
    },
  }
}

async function takeLock(url: string, where: string, waitMs: number): Promise<Client> {
  const until = performance.now() + waitMs
  for (;;) {
    const client = new Client({ connectionString: url, application_name: NAME, connectionTimeoutMillis: 5_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [ENGINE_LOCK])
      if (rows[0]?.taken) return client
      if (performance.now() >= until) throw new DatabaseError(await refusal(client, where))
      await client.end()
    } catch (error) {
      await client.end().catch(() => undefined)
      if (performance.now() >= until) throw error
    }
    await delay(CLAIM_RETRY_MS)
  }
}

async function refusal(client: Client, where: string): Promise<string> {
  const { rows } = await client.query<{ application_name: string }>(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.objid = $1 and l.granted`,
    [ENGINE_LOCK],
  )
  return `${where} 데이터베이스를 다른 Digger(${rows[0]?.application_name ?? '알 수 없음'})가 쓰고 있습니다. 그쪽을 먼저 꺼 주세요.`
}
