import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the real broker and exchange ask an account to remember. */
export const brokerAsItIs: Migration = {
  async up(db) {
    await cancelsOfOurs(db)
    await baseMoves(db)
    await ownShares(db)
    await venues(db)
    await otherServer(db)
    await calendar(db)
  },
}

type Connection = Parameters<Migration['up']>[0]

/** Whether Digger asked for an order's end: one that ended without it was cancelled by somebody else, and is not made again that day. */
async function cancelsOfOurs(db: Connection): Promise<void> {
  await sql`alter table account_order add column cancel_asked boolean not null default false`.execute(db)
  await sql`
    update account_order set cancel_asked = true
    from (
      select distinct user_id, (fact->>'orderId')::bigint as order_id
      from journal where fact->>'kind' = 'cancelAsked'
    ) asked
    where asked.user_id = account_order.user_id and asked.order_id = account_order.id`.execute(db)
  await sql`alter table account_order alter column cancel_asked drop default`.execute(db)
}

/**
 * Stocks whose base price moved, what people settled of it, and shares that are to come; and the last regular close of each
 * issue, which tells it: one row an issue, for all accounts.
 */
async function baseMoves(db: Connection): Promise<void> {
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
}

/** Shares that stay out of the book, and lots that a correction took over and nobody has agreed to sell. */
async function ownShares(db: Connection): Promise<void> {
  await sql`alter table stock add column kept bigint not null default 0 check (kept >= 0)`.execute(db)
  await sql`alter table stock alter column kept drop default`.execute(db)
  await sql`alter table trade add column taken_over boolean not null default false`.execute(db)
  await sql`alter table trade alter column taken_over drop default`.execute(db)
}

/** Sessions and venues an account may use beside KRX's regular session: none before its owner chose it. */
async function venues(db: Connection): Promise<void> {
  await sql`
    alter table account add column venues jsonb not null
    default '{"sor": false, "preMarket": false, "afterMarket": false}'`.execute(db)
}

/** Signs that another server trades the account, too, and those its person knows of. As a journal without any has them. */
async function otherServer(db: Connection): Promise<void> {
  await sql`
    alter table account add column other_server jsonb not null
    default '{"suspected": null, "known": []}'`.execute(db)
}

/** Days of the exchange as an operator says they are: "closed", "normal", or hours in seconds of the day. */
async function calendar(db: Connection): Promise<void> {
  await sql`
    create table calendar_day (
      day text primary key check (day ~ '^[0-9]{8}$'),
      correction jsonb not null,
      at bigint not null,
      by_email text not null
    )`.execute(db)
}
