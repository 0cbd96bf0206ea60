import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { clientOf } from './connections.ts'
import { DatabaseError, TakenOverError } from './errors.ts'
import { RenewedLease, type Lease } from './lease.ts'
import { types } from './parsers.ts'

/** Key of the advisory lock "this database has its one engine" (any number, ours). */
export const ENGINE_LOCK = 4_218_017
const CLAIM_TIMEOUT_MS = 5_000
const CLAIM_RETRY_INTERVAL_MS = 500
/** A database restart or failover takes this long at most before the server gives up. */
const RECLAIM_TIMEOUT_MS = 120_000
const RENEW_INTERVAL_MS = 1_000
/** After a question about the lock without an answer for this long the connection counts as dead. */
const ANSWER_TIMEOUT_MS = 3_000

export const CONNECTION_NAME = `digger ${hostname()} ${process.pid}`

/** The server, too, finds out within seconds that nobody is there any more, and frees the session's locks. */
const KEEP_ALIVE =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=15000'

/** A connection whose locks say that this process is there. `answerMs`: a question without an answer for so long has failed. */
export function sessionClient(url: string, answerMs?: number): Client {
  return clientOf({
    connectionString: url,
    application_name: CONNECTION_NAME,
    connectionTimeoutMillis: 5_000,
    ...(answerMs !== undefined && { query_timeout: answerMs }),
    options: KEEP_ALIVE,
    types,
  })
}

/** Resolves when this process may go on with a lock that it had lost; throws TakenOverError when another had it meanwhile. */
export type ReclaimCheck = (client: Client) => Promise<void>

const UNCHECKED: ReclaimCheck = async () => undefined

export interface EngineLock {
  readonly lease: Lease
  /** Resolves when the lock is lost for good. */
  readonly failed: Promise<Error>
  /** What is asked, on the connection that has the lock again, before the lock counts. Default: nothing. */
  beforeReclaim(check: ReclaimCheck): void
  release(): Promise<void>
}

/**
 * Holds the advisory lock on a connection of its own, asks every second whether it is still there, and takes it again
 * when the database restarts. Throws DatabaseError with the holder's name when another Digger has it: after `waitMs`.
 * `answerMs`: after a question without an answer for so long the connection counts as dead.
 */
export async function takeEngineLock(
  url: string,
  where: string,
  { waitMs = CLAIM_TIMEOUT_MS, answerMs = ANSWER_TIMEOUT_MS } = {},
): Promise<EngineLock> {
  const claim: Claim = { url, where, answerMs, lease: new RenewedLease() }
  const failed = Promise.withResolvers<Error>()
  const { lease } = claim
  let released = false
  let check = UNCHECKED
  /** Null while the lock is claimed again. */
  let holder: Client | null = await connect(claim, waitMs)
  const lost = (client: Client): void => {
    // Called twice: for the question that failed, and for the end of the connection. Two claims would compete, and the
    // one that comes second would give up the lock that the first one has.
    if (client !== holder || released) return
    holder = null
    lease.lose()
    takeAgain().catch((error: unknown) =>
      failed.resolve(error instanceof Error ? error : new DatabaseError(String(error))),
    )
  }
  const takeAgain = async (): Promise<void> => {
    const client = await connect(claim, RECLAIM_TIMEOUT_MS, check)
    if (released) await client.end()
    else hold(client)
  }
  const hold = (client: Client): void => {
    holder = client
    const stop = startRenewing(client, lease, () => lost(client))
    client.once('end', () => {
      stop()
      lost(client)
    })
  }
  hold(holder)
  return {
    lease,
    failed: failed.promise,
    beforeReclaim(asked) {
      check = asked
    },
    async release() {
      released = true
      lease.lose()
      await holder?.end()
    },
  }
}

/** A lock of a session is there as long as the session answers. */
function startRenewing(client: Client, lease: RenewedLease, lost: () => void): () => void {
  let asking = false
  const ask = async (): Promise<void> => {
    if (asking) return
    asking = true
    try {
      await lease.renew(() => client.query('select 1'))
    } catch {
      clearInterval(timer)
      lost()
      await client.end().catch(() => undefined)
    } finally {
      asking = false
    }
  }
  const timer = setInterval(() => void ask(), RENEW_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

interface Claim {
  readonly url: string
  readonly where: string
  readonly answerMs: number
  readonly lease: RenewedLease
}

async function connect({ url, where, answerMs, lease }: Claim, waitMs: number, check?: ReclaimCheck): Promise<Client> {
  const until = performance.now() + waitMs
  for (;;) {
    const client = sessionClient(url, answerMs)
    try {
      await client.connect()
      if (await tryLock(client, lease, check)) return client
      if (performance.now() >= until) throw new DatabaseError(await refusal(client, where))
      await client.end()
    } catch (error) {
      await client.end().catch(() => undefined)
      if (error instanceof TakenOverError || performance.now() >= until) throw error
    }
    await delay(CLAIM_RETRY_INTERVAL_MS)
  }
}

/** The lease begins once both are answered: a process that slept may have been followed by one that is gone again. */
async function tryLock(client: Client, lease: RenewedLease, check?: ReclaimCheck): Promise<boolean> {
  let taken = false
  const ask = async (): Promise<void> => {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [ENGINE_LOCK])
    taken = rows[0]?.taken === true
    if (!taken) throw new DatabaseError('the lock is taken')
    await check?.(client)
  }
  await lease.renew(ask).catch((error: unknown) => {
    if (taken || !(error instanceof DatabaseError)) throw error
  })
  return taken
}

async function refusal(client: Client, where: string): Promise<string> {
  const { rows } = await client.query<{ application_name: string }>(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.objid = $1 and l.granted
       and l.database = (select oid from pg_database where datname = current_database())`,
    [ENGINE_LOCK],
  )
  return `${where} 데이터베이스를 다른 Digger(${rows[0]?.application_name ?? '알 수 없음'})가 쓰고 있습니다. 그쪽을 먼저 꺼 주세요.`
}
