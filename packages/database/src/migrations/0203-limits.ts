import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

// As a journal without any fact about limits has them: `verify` of accounts from before stays true.
export const limits: Migration = {
  async up(db) {
    await sql`
      alter table account
      add column limits jsonb not null default '{ "own": {}, "pending": [], "trips": [], "lostAt": [] }'
    `.execute(db)
  },
}
