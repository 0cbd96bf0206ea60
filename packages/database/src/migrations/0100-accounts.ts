import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

// The journal is the truth; the other tables are its result, kept in the same transaction. Safety lives in the
// constraints: whatever the program believes, these refuse a second order.
export const accounts: Migration = {
  async up(db) {
    await sql`
      create table account (
        user_id text primary key references users on delete cascade,
        day text not null check (day ~ '^[0-9]{8}$'),
        stop text not null check (stop in ('active', 'reduce', 'halt')),
        next_order_id bigint not null,
        next_lot_id bigint not null,
        seq bigint not null
      )`.execute(db)
    await sql`
      create table journal (
        user_id text not null references account,
        seq bigint not null,
        at bigint not null,
        fact jsonb not null,
        primary key (user_id, seq)
      )`.execute(db)
    await sql`
      create trigger journal_append_only before update or delete or truncate on journal
      for each statement execute function refuse_change()`.execute(db)
    await stocks(db)
    await lots(db)
    await orders(db)
  },
}

type Connection = Parameters<Migration['up']>[0]

async function stocks(db: Connection): Promise<void> {
  await sql`
    create table stock (
      user_id text not null references account,
      code text not null,
      name text not null,
      market text not null,
      kind text not null,
      nxt boolean not null,
      settings jsonb not null,
      stop text not null check (stop in ('active', 'reduce', 'halt')),
      blocked jsonb,
      price_subscribed boolean not null,
      acc_gain_amount bigint not null,
      rejects bigint not null,
      version bigint not null,
      updated_at bigint not null,
      checked_at bigint,
      primary key (user_id, code)
    )`.execute(db)
}

async function lots(db: Connection): Promise<void> {
  await sql`
    create table trade (
      user_id text not null references account,
      id bigint not null,
      code text not null,
      count bigint not null check (count > 0),
      buy_price bigint not null check (buy_price >= 0),
      buy_amount bigint not null check (buy_amount >= 0),
      bought_at bigint not null,
      buy_order_id bigint,
      held_back boolean not null,
      closed boolean not null,
      sell_price bigint,
      sell_amount bigint,
      sold_at bigint,
      sell_day text,
      fee bigint,
      tax bigint,
      primary key (user_id, id),
      check (closed = (sold_at is not null)),
      check (closed = (sell_day is not null))
    )`.execute(db)
  await sql`create index trade_open on trade (user_id, code) where not closed`.execute(db)
  await sql`create index trade_by_day on trade (user_id, sell_day) where closed`.execute(db)
}

async function orders(db: Connection): Promise<void> {
  await sql`
    create table account_order (
      user_id text not null references account,
      id bigint not null,
      code text not null,
      side text not null check (side in ('buy', 'sell')),
      origin text not null check (origin in ('auto', 'person')),
      type text not null check (type in ('limit', 'market', 'best')),
      price bigint not null check (price >= 0),
      count bigint not null check (count > 0),
      venue text not null,
      session text not null,
      status text not null,
      live boolean not null,
      day text not null check (day ~ '^[0-9]{8}$'),
      odno text,
      orgno text,
      filled_count bigint not null constraint filled_within_order check (filled_count between 0 and count),
      filled_amount bigint not null check (filled_amount >= 0),
      reserved_price bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      why text not null,
      note text,
      primary key (user_id, id),
      check (live = (status in ('intended', 'unknown', 'open', 'cancelling'))),
      check ((type = 'limit') = (price > 0))
    )`.execute(db)
  await sql`create unique index one_live_buy on account_order (user_id, code) where side = 'buy' and live`.execute(db)
  await sql`create unique index one_odno on account_order (user_id, day, odno) where odno is not null`.execute(db)
  await sql`create index live_order on account_order (user_id) where live`.execute(db)
  await sql`
    create table order_lot (
      user_id text not null,
      order_id bigint not null,
      position bigint not null,
      lot_id bigint not null,
      count bigint not null check (count > 0),
      live boolean not null,
      primary key (user_id, order_id, position),
      foreign key (user_id, order_id) references account_order
    )`.execute(db)
  await sql`create unique index one_live_order_per_lot on order_lot (user_id, lot_id) where live`.execute(db)
}
