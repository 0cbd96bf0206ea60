import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Clock, Db } from '@digger/database'

export interface Limit {
  /** Tries in a row from a full budget. */
  readonly burst: number
  /** How long it takes until there is one more, ms. */
  readonly intervalMs: number
}

/** How long a refusal holds without asking the database: another process may have given something back. */
const REFUSAL_TTL_MS = 5_000
const SWEEP_INTERVAL_MS = 600_000
const MAX_REFUSALS = 50_000
/** Rows of the table: some 15 MB. A day of guesses from ever new addresses would be more. */
const MAX_ROWS = 100_000
/** So many rows go at one time: whoever logs in meanwhile does not wait for all of them. */
const SWEEP_ROWS = 1_000

/** The name of a budget, which does not reveal whose it is. */
export const subjectOf = (kind: string, ...of: readonly string[]): string =>
  `${kind} ${createHash('sha256').update(of.join('\n')).digest('base64url')}`

/**
 * Budgets that refill with time (the generic cell rate algorithm: one instant per subject is the whole state). What is taken is
 * durable before `take` answers, in one statement, so that neither a restart nor a second process gives more.
 */
export class Budgets {
  readonly #db: Db
  readonly #clock: Clock
  /** Spares the database the asking while a budget is known to be empty; forgetting it gives nothing away. */
  readonly #empty = new LRUCache<string, { readonly until: number; readonly readAt: number }>({
    // Counted as a size: a cache with a `max` takes the memory of all of them at once.
    maxSize: MAX_REFUSALS,
    sizeCalculation: () => 1,
  })
  /** The kind whose rows go first when there are too many. */
  readonly #least: string
  #sweptAt = 0

  constructor(db: Db, clock: Clock, least: string) {
    this.#db = db
    this.#clock = clock
    this.#least = least
  }

  /** Milliseconds until there is one to take; 0: one was taken. */
  async take(subject: string, { burst, intervalMs }: Limit): Promise<number> {
    const now = this.#clock.now()
    await this.#sweep(now)
    const last = now + intervalMs * burst
    const { rows } = await sql`
      insert into login_budget as budget (subject, full_at) values (${subject}, ${now + intervalMs}::bigint)
      on conflict (subject) do update set full_at = greatest(budget.full_at, ${now}::bigint) + ${intervalMs}::bigint
        where greatest(budget.full_at, ${now}::bigint) + ${intervalMs}::bigint <= ${last}::bigint
      returning full_at`.execute(this.#db)
    if (rows.length > 0) return 0
    // Further ahead than an empty budget can be, it was written before the clock was set back.
    const row = await this.#db
      .updateTable('login_budget')
      .set((put) => ({ full_at: put.fn('least', [put.ref('full_at'), put.val(last)]) }))
      .where('subject', '=', subject)
      .returning('full_at')
      .executeTakeFirst()
    const until = (row?.full_at ?? now) + intervalMs * (1 - burst)
    this.#empty.set(subject, { until, readAt: now })
    return Math.max(1, until - now)
  }

  async giveBack(subject: string, { intervalMs }: Limit): Promise<void> {
    this.#empty.delete(subject)
    await this.#db
      .updateTable('login_budget')
      .set((put) => ({ full_at: put('full_at', '-', intervalMs) }))
      .where('subject', '=', subject)
      .execute()
  }

  /** The wait as far as memory knows: 0 may be wrong, more is not. */
  waitKnown(subject: string): number {
    const now = this.#clock.now()
    const empty = this.#empty.get(subject)
    return !empty || Math.abs(now - empty.readAt) >= REFUSAL_TTL_MS ? 0 : Math.max(0, empty.until - now)
  }

  /** Full budgets are like absent ones. Beyond the limit the rows of the least kind go, oldest first; what is left goes at the next take. */
  async #sweep(now: number): Promise<void> {
    if (now - this.#sweptAt < SWEEP_INTERVAL_MS && now >= this.#sweptAt) return
    const full = await sql`
      delete from login_budget where subject in (
        select subject from login_budget where full_at <= ${now}::bigint order by full_at
        limit ${SWEEP_ROWS}::bigint)`.execute(this.#db)
    const over = await sql`
      delete from login_budget where subject in (
        select subject from login_budget where subject like ${`${this.#least} %`} order by full_at
        limit least(${SWEEP_ROWS}::bigint, greatest(0, (select count(*) from login_budget) - ${MAX_ROWS}::bigint)))`.execute(
      this.#db,
    )
    const most = Math.max(Number(full.numAffectedRows ?? 0), Number(over.numAffectedRows ?? 0))
    if (most < SWEEP_ROWS) this.#sweptAt = now
  }
}
