import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What people asked of an account, by the key that their request came with: asked again with it, it is not done again. A row is
 * written by the one statement that writes what was done (docs/decisions/046-named-commands.md), and removed after some days. Like
 * a decision it refers to nothing: the account's row is in the same statement.
 */
export const commandKey: Migration = {
  async up(db) {
    await sql`
      create table command_key (
        user_id text not null,
        key text not null,
        -- Hash of what the key was first used for.
        call text not null,
        at bigint not null,
        -- JSON as text, for it may hold words of the broker. Null: only a part of it was done.
        answer text,
        primary key (user_id, key)
      )`.execute(db)
  },
}
