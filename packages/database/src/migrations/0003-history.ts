import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const history: Migration = {
  async up(db) {
    await sql`
      create table audit (
        id bigint generated always as identity primary key,
        at bigint not null,
        user_id text not null references users,
        by_email text not null,
        action text not null,
        detail text not null
      )`.execute(db)
    await sql`create index audit_by_user on audit (user_id, id desc)`.execute(db)
    await sql`
      create function refuse_change() returns trigger language plpgsql as
      $$ begin raise exception '% is append-only', tg_table_name; end $$`.execute(db)
    await sql`
      create trigger audit_append_only before update or delete or truncate on audit
      for each statement execute function refuse_change()`.execute(db)

    await sql`
      create table money_day (
        user_id text not null references users on delete cascade,
        day text not null check (day ~ '^[0-9]{8}$'),
        deposit_amount bigint not null,
        stock_buy_amount bigint not null,
        bank_balance bigint not null,
        updated_at bigint not null,
        primary key (user_id, day)
      )`.execute(db)

    // Executed orders as the broker lists them. Its numbers are unique per account and day only.
    await sql`
      create table ordered (
        user_id text not null references users on delete cascade,
        day text not null check (day ~ '^[0-9]{8}$'),
        odno text not null,
        code text not null,
        name text not null,
        side text not null check (side in ('buy', 'sell')),
        venue text not null,
        count bigint not null check (count > 0),
        amount bigint not null check (amount >= 0),
        ordered_at bigint not null,
        primary key (user_id, day, odno)
      )`.execute(db)
    await sql`create index ordered_by_code on ordered (user_id, code, day desc)`.execute(db)
  },
}
