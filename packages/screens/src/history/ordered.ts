import { sql } from 'kysely'
import { kstMidnight } from '@digger/core'
import type { KisExecution } from '@digger/kis'
import type { Db, OrderedRow } from '@digger/database'

const MAX_ROWS = 5_000

/**
 * Executed orders, newest first: those imported from the broker, and Digger's own, which need no import. Where both know
 * an order the one that has seen more of its fills counts.
 */
export async function orderedRows(
  db: Db,
  userId: string,
  { from, to, code }: { from: string; to: string; code: string | null },
): Promise<OrderedRow[]> {
  const { rows } = await sql<OrderedRow>`
    select distinct on (ordered_at, day, odno) * from (
      select user_id, day, odno, code, name, side, venue, count, amount, ordered_at from ordered
      where user_id = ${userId} and day between ${from} and ${to}
      union all
      select a.user_id, a.day, a.odno, a.code, coalesce(s.name, a.code), a.side, a.venue, a.filled_count, a.filled_amount,
        coalesce(o.ordered_at, a.created_at)
      from account_order a
        left join stock s on s.user_id = a.user_id and s.code = a.code
        left join ordered o on o.user_id = a.user_id and o.day = a.day and o.odno = a.odno
      where a.user_id = ${userId} and a.day between ${from} and ${to} and a.odno is not null and a.filled_count > 0
    ) both_lists
    where ${code}::text is null or code = ${code}
    order by ordered_at desc, day desc, odno desc, count desc
    limit ${MAX_ROWS}`.execute(db)
  return rows
}

/** KST day of the last order of a code that was imported. */
export async function lastImportedDay(db: Db, userId: string, code: string): Promise<string | null> {
  const row = await db
    .selectFrom('ordered')
    .select((column) => column.fn.max('day').as('day'))
    .where('user_id', '=', userId)
    .where('code', '=', code)
    .executeTakeFirst()
  return row?.day ?? null
}

/** Taking over executed orders, and how often that was done for whom. */
export class Imports {
  readonly #db: Db
  readonly #done = new Map<string, number>()

  constructor(db: Db) {
    this.#db = db
  }

  /** Grows with every import of a user. */
  of(userId: string): number {
    return this.#done.get(userId) ?? 0
  }

  /** Returns how many orders with a fill were new, and how many were there already. */
  async take(userId: string, executions: readonly KisExecution[]): Promise<{ imported: number; skipped: number }> {
    const filled = executions.filter(({ filledCount }) => filledCount > 0)
    const imported = await importFilled(this.#db, userId, filled)
    this.#done.set(userId, this.of(userId) + 1)
    return { imported, skipped: filled.length - imported }
  }
}

/** Takes over what was filled. Twice the same gives the same: an order is its day and number. Returns how many were new. */
async function importFilled(db: Db, userId: string, filled: readonly KisExecution[]): Promise<number> {
  // Each key once: one statement cannot write a row twice.
  const byKey = new Map(filled.map((execution) => [`${execution.day} ${execution.odno}`, rowOf(userId, execution)]))
  if (byKey.size === 0) return 0
  const { rows } = await sql<{ is_new: boolean }>`
    insert into ordered (user_id, day, odno, code, name, side, venue, count, amount, ordered_at)
    select user_id, day, odno, code, name, side, venue, count, amount, ordered_at
    from jsonb_to_recordset(${JSON.stringify([...byKey.values()])}::jsonb) as listed
      (user_id text, day text, odno text, code text, name text, side text, venue text, count bigint, amount bigint, ordered_at bigint)
    on conflict (user_id, day, odno) do update
      set count = excluded.count, amount = excluded.amount where excluded.count > ordered.count
    returning xmax = 0 as is_new`.execute(db)
  return rows.filter(({ is_new }) => is_new).length
}

const rowOf = (userId: string, execution: KisExecution): OrderedRow => ({
  user_id: userId,
  day: execution.day,
  odno: execution.odno,
  code: execution.code,
  name: execution.name,
  side: execution.side,
  venue: execution.venue,
  count: execution.filledCount,
  amount: execution.filledAmount,
  // Lists are sorted by it: without a time it is the beginning of its day.
  ordered_at: execution.orderedAt ?? kstMidnight(execution.day),
})
