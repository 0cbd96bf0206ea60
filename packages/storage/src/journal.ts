import type { Fact } from '@digger/core'
import type { Db } from '@digger/database'

const PAGE = 5_000

/** Number of an account's newest journal row; 0 where it has none yet. */
export async function newestRow(db: Db, userId: string): Promise<number> {
  const row = await db.selectFrom('account').select('seq').where('user_id', '=', userId).executeTakeFirst()
  return row?.seq ?? 0
}

/** One account's journal from the row after `after` on. Throws where a row is missing. */
export async function* factsAfter(db: Db, userId: string, after = 0): AsyncGenerator<{ seq: number; fact: Fact }> {
  for (let last = after; ;) {
    const rows = await db
      .selectFrom('journal')
      .select(['seq', 'fact'])
      .where('user_id', '=', userId)
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(PAGE)
      .execute()
    for (const row of rows) {
      if (row.seq !== last + 1) throw new Error(`${userId}: journal row ${last + 1} is missing`)
      yield row
      last = row.seq
    }
    if (rows.length < PAGE) return
  }
}
