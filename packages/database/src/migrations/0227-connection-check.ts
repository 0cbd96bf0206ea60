import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the last examination of each person's connection to the broker found. */
export const connectionCheck: Migration = {
  async up(db) {
    await sql`
      create table connection_check (
        user_id text primary key references users on delete cascade,
        at bigint not null,
        report jsonb not null
      )`.execute(db)
  },
}
