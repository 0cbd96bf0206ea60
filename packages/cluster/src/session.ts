import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import {
  type Clock,
  DatabaseError,
  ENGINE_LOCK,
  evenClock,
  every,
  type Lease,
  RenewedLease,
  sessionClient,
  wait,
} from '@digger/database'
import { WORKER_LOCKS } from './locks.ts'
import { renewWorker, type StopRow, type WorkerKey, writeWorker } from './worker-rows.ts'

const RENEW_INTERVAL_MS = 1_000
/** After a question without an answer for this long the connection counts as dead. */
const ANSWER_TIMEOUT_MS = 3_000
const RECONNECT_INTERVAL_MS = 500

export interface SessionParts {
  readonly url: string
  /** The public key of this process, proven for the name that it gets. */
  readonly keyOf: (id: string) => WorkerKey | null
  /** Which kinds of facts this program reads. */
  readonly facts: number
  /** The worker that this process was before it was found dead. */
  readonly former: string | null
  /** Called once when others have found this worker dead: it owns nothing any more, and may begin again as another. */
  readonly lost: () => void
  /** Called with each renewal, before it gives the right to trade: applies the stop in this very turn. */
  readonly stopRead: (stop: StopRow | null) => void
  /** An even one, in the place of the process' own. */
  readonly clock?: Clock | undefined
}

/**
 * That this process is there: its row, renewed each second, on a connection that holds the worker's lock. When the connection is
 * cut it comes again, unless others have found the worker dead meanwhile.
 */
export class WorkerSession {
  readonly id = randomUUID().slice(0, 8)
  readonly #lease: RenewedLease
  readonly #parts: SessionParts
  readonly #clock: Clock
  #client: Client | null = null
  #lock = 0
  #draining = false
  #isLeaving = false
  #ended = false
  #endRenewing: (() => void) | undefined
  #renewing = false
  /** Somebody wants another renewal right after the one under way. */
  #again = false
  #stopSeen = -1
  #renewedAt: number
  #attachedAt: number

  constructor(parts: SessionParts) {
    this.#parts = parts
    const { clock } = parts
    // Its own lease goes by the time since the boot: that of an even clock stands still while the machine sleeps.
    this.#lease = new RenewedLease(clock && (() => clock.now()))
    this.#clock = clock ?? evenClock
    this.#renewedAt = this.#attachedAt = this.#clock.now()
  }

  /** Which kinds of facts this program reads. */
  get facts(): number {
    return this.#parts.facts
  }

  get leaseAgeMs(): number {
    return this.#clock.now() - this.#renewedAt
  }

  get lease(): Lease {
    return this.#lease
  }

  /** An operator has asked for the shards to be let go. */
  get draining(): boolean {
    return this.#draining || this.#isLeaving
  }

  /** How long it has had its connection without a break, ms: after an outage of the database everybody's is new. */
  get attachedMs(): number {
    return this.#client === null ? 0 : this.#clock.now() - this.#attachedAt
  }

  /** As if an operator had asked. */
  drain(): void {
    this.#isLeaving = true
  }

  /** Throws DatabaseError where one server owns the whole database. */
  async begin(): Promise<void> {
    const client = await this.#connect()
    try {
      await this.#enter(client)
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    this.#hold(client)
    this.#endRenewing = every(this.#clock, RENEW_INTERVAL_MS, () => void this.#renew())
  }

  async #enter(client: Client): Promise<void> {
    const { rows } = await client.query<{ lock: number }>(`select nextval('worker_lock') as lock`)
    this.#lock = rows[0]?.lock ?? 0
    if (!(await this.#takeLocks(client))) throw new DatabaseError(OWNED_BY_ONE)
    const { keyOf, facts, former } = this.#parts
    await writeWorker(client, this.id, { lock: this.#lock, facts, key: keyOf(this.id), former })
    // Only now: whoever sets a stop after it was read here finds the row, and waits for it.
    await this.#renewOn(client)
    if (this.#ended) throw new BuriedError()
  }

  /** Reads the stop at once, and says that it is applied. */
  renewNow(): void {
    this.#again = true
    void this.#renew()
  }

  async end(): Promise<void> {
    this.#ended = true
    this.#endRenewing?.()
    this.#lease.lose()
    await this.#client?.end().catch(() => undefined)
  }

  async #connect(): Promise<Client> {
    const client = sessionClient(this.#parts.url, ANSWER_TIMEOUT_MS)
    await client.connect()
    return client
  }

  /** Shares the database with other workers, and with no server that owns all of it. */
  async #takeLocks(client: Client): Promise<boolean> {
    const { rows } = await client.query<{ shared: boolean; own: boolean }>(
      'select pg_try_advisory_lock_shared($1) as shared, pg_try_advisory_lock($2, $3) as own',
      [ENGINE_LOCK, WORKER_LOCKS, this.#lock],
    )
    return rows[0]?.shared === true && rows[0].own
  }

  #hold(client: Client): void {
    this.#client = client
    this.#attachedAt = this.#clock.now()
    client.once('end', () => void this.#comeBack(client))
  }

  async #renew(): Promise<void> {
    const client = this.#client
    if (client === null || this.#renewing) return
    this.#renewing = true
    try {
      await this.#renewOn(client)
    } catch {
      await client.end().catch(() => undefined)
      void this.#comeBack(client)
    } finally {
      this.#renewing = false
    }
  }

  async #renewOn(client: Client): Promise<void> {
    do {
      this.#again = false
      await this.#renewOnce(client)
    } while (this.#again && !this.#ended)
  }

  async #renewOnce(client: Client): Promise<void> {
    await this.#lease
      .renew(async () => {
        const row = await renewWorker(client, this.id, this.#stopSeen)
        if (row === null) throw new BuriedError()
        this.#draining = row.draining
        this.#follow(row.stop)
        this.#renewedAt = this.#clock.now()
      })
      .catch((error: unknown) => {
        if (!(error instanceof BuriedError)) throw error
        this.#bury()
      })
  }

  #follow(stop: StopRow | null): void {
    this.#parts.stopRead(stop)
    const version = stop?.version ?? 0
    if (version === this.#stopSeen) return
    this.#stopSeen = version
    this.#again = true
  }

  #bury(): void {
    if (this.#ended) return
    void this.end()
    this.#parts.lost()
  }

  /** Called twice: for the question that failed, and for the end of the connection. */
  async #comeBack(gone: Client): Promise<void> {
    if (this.#client !== gone || this.#ended) return
    this.#client = null
    while (!this.#ended) {
      const client = await this.#connect().catch(() => null)
      if (client !== null && (await this.#goesOn(client).catch(() => false))) return
      await client?.end().catch(() => undefined)
      await wait(this.#clock, RECONNECT_INTERVAL_MS)
    }
  }

  /** The lock is free again only when nobody looks whether it is: they have buried the worker by then. */
  async #goesOn(client: Client): Promise<boolean> {
    if (!(await this.#takeLocks(client))) return false
    await this.#renewOn(client)
    if (!this.#ended) this.#hold(client)
    return !this.#ended
  }
}

class BuriedError extends Error {}

const OWNED_BY_ONE =
  '이 데이터베이스를 한 대짜리 Digger가 쓰고 있습니다. 그쪽을 먼저 끄고 DIGGER_ROLE=worker로 다시 켜 주세요.'
