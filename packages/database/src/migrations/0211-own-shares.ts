import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Shares that stay out of the book, and lots that a correction took over and nobody has agreed to sell. */
export const ownShares: Migration = {
  async up(db) {
    await sql`alter table stock add column kept bigint not null default 0 check (kept >= 0)`.execute(db)
    await sql`alter table stock alter column kept drop default`.execute(db)
    await sql`alter table trade add column taken_over boolean not null default false`.execute(db)
    await sql`alter table trade alter column taken_over drop default`.execute(db)
  },
}
