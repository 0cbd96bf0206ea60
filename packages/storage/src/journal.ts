import type { Fact } from '@digger/core'
import type { Db } from '@digger/database'

const PAGE = 5_000

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
