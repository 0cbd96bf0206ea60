import { sql } from 'kysely'
import { kstDay } from '@digger/core'
import type { KisExecution } from '@digger/kis'
import type { Db } from '../db/open.ts'
import type { OrderedRow } from '../db/tables.ts'

const MOST_ROWS = 5_000

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
    limit ${MOST_ROWS}`.execute(db)
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

/** Takes over what was filled. Twice the same gives the same: an order is its day and number. Returns how many were new. */
export async function importExecutions(db: Db, userId: string, executions: readonly KisExecution[]): Promise<number> {
  const filled = executions.filter(({ filledCount }) => filledCount > 0)
  let imported = 0
  await db.transaction().execute(async (trx) => {
    for (const execution of filled) {
      const known = await trx
        .selectFrom('ordered')
        .select('count')
        .where('user_id', '=', userId)
        .where('day', '=', execution.day)
        .where('odno', '=', execution.odno)
        .executeTakeFirst()
      if (!known) imported++
      if (!known || known.count < execution.filledCount) await put(trx, rowOf(userId, execution))
    }
  })
  return imported
}

async function put(db: Db, row: OrderedRow): Promise<void> {
  const { user_id: _user, day: _day, odno: _odno, ...change } = row
  await db
    .insertInto('ordered')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'day', 'odno']).doUpdateSet(change))
    .execute()
}

const rowOf = (userId: string, execution: KisExecution): OrderedRow => ({
  user_id: userId,
  day: execution.day || kstDay(execution.orderedAt),
  odno: execution.odno,
  code: execution.code,
  name: execution.name,
  side: execution.side,
  venue: execution.venue,
  count: execution.filledCount,
  amount: execution.filledAmount,
  ordered_at: execution.orderedAt,
})
