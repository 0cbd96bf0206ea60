import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Where in its buy a split lot lies, won: the broker cuts the fee of a whole buy. Lots split so far count for buys of their own. */
export const boughtBefore: Migration = {
  async up(db) {
    await sql`alter table trade add column bought_before bigint not null default 0`.execute(db)
    await sql`alter table trade alter column bought_before drop default`.execute(db)
  },
}
