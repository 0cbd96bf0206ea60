import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What is only rehearsed, and the journal of what would have been done (docs/decisions/057-shadow.md). Null allowed in the columns: a
 * program from before them, that still runs beside newer ones, writes whole rows without them.
 */
export const shadow: Migration = {
  async up(db) {
    await sql`alter table account add column shadow boolean`.execute(db)
    await sql`alter table stock add column shadow boolean`.execute(db)
    await sql`
      create table shadow_fact (
        user_id text not null references account,
        seq bigint not null,
        at bigint not null,
        fact jsonb not null,
        primary key (user_id, seq)
      )`.execute(db)
    await sql`
      create trigger shadow_fact_append_only before update or delete or truncate on shadow_fact
      for each statement execute function refuse_change()`.execute(db)
  },
}
