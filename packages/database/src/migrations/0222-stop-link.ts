import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A long secret of an account's person that can stop it and nothing else; only its hash is kept. */
export const stopLink: Migration = {
  async up(db) {
    await sql`
      create table stop_link (
        user_id text primary key references users on delete cascade,
        token_hash bytea not null unique,
        created_at bigint not null,
        used_at bigint
      )`.execute(db)
  },
}
