import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Stocks whose base price moved, what people settled of it, and shares that are to come; and the last regular close of each
 * issue, which tells it: one row an issue, for all accounts.
 */
export const baseMoves: Migration = {
  async up(db) {
    await sql`
      alter table stock
        add column frozen jsonb,
        add column settled_on text,
        add column expected jsonb`.execute(db)
    await sql`
      create table closing_price (
        code text primary key,
        day text not null check (day ~ '^[0-9]{8}$'),
        close bigint not null check (close > 0),
        base bigint not null check (base > 0)
      )`.execute(db)
  },
}
