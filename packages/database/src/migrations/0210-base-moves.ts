import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What a stock is frozen for, move by move, and what its person has settled: a base read later that day may be another one. */
export const baseMoves: Migration = {
  async up(db) {
    await sql`alter table stock add column moves jsonb`.execute(db)
  },
}
