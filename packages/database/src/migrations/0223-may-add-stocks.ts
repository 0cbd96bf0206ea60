import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether a person who is no administrator may add stocks to their own list. The default is for programs from before this column, too. */
export const mayAddStocks: Migration = {
  async up(db) {
    await sql`alter table users add column may_add_stocks boolean not null default false`.execute(db)
  },
}
