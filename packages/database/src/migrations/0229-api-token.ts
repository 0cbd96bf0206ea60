import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Long secrets by which programs ask about their person's account; only their hashes are kept. */
export const apiToken: Migration = {
  async up(db) {
    await sql`
      create table api_token (
        id bigint generated always as identity primary key,
        user_id text not null references users on delete cascade,
        name text not null,
        scope text not null check (scope in ('read', 'stop')),
        token_hash bytea not null unique,
        created_at bigint not null,
        expires_at bigint not null,
        used_at bigint,
        used_from text
      )`.execute(db)
    await sql`create index api_token_user on api_token (user_id)`.execute(db)
  },
}
