import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What people are told, and how it reaches them (docs/decisions/051-notifications.md). The journal is the outbox: `notification_cursor`
 * says up to which of its rows an account's person has been told, so that an order costs no statement more.
 */
export const notifications: Migration = {
  async up(db) {
    await outbox(db)
    await waysOut(db)
    await alarms(db)
  },
}

type MigratedDb = Parameters<Migration['up']>[0]

async function outbox(db: MigratedDb): Promise<void> {
  await sql`
      create table notification_cursor (
        user_id text primary key references users on delete cascade,
        seq bigint not null
      )`.execute(db)
  await sql`
      create table notification_bundle (
        id text primary key,
        user_id text not null references users on delete cascade,
        at bigint not null,
        silent boolean not null
      )`.execute(db)
  await sql`create index notification_bundle_by_user on notification_bundle (user_id, at desc)`.execute(db)
  await sql`
      create table notification (
        id bigint generated always as identity primary key,
        user_id text not null references users on delete cascade,
        -- What it is about: said once.
        subject text not null,
        kind text not null,
        at bigint not null,
        code text,
        text text not null,
        amounts text,
        fill jsonb,
        -- 'off': its person does not want to be told, and reads it on the page only.
        state text not null default 'waiting' check (state in ('waiting', 'bundled', 'off')),
        bundle_id text references notification_bundle on delete cascade,
        unique (user_id, subject),
        check ((state = 'bundled') = (bundle_id is not null))
      )`.execute(db)
  await sql`create index notification_by_user on notification (user_id, id desc)`.execute(db)
  await sql`create index notification_waiting on notification (user_id) where state = 'waiting'`.execute(db)
  await sql`create index notification_bundled on notification (bundle_id)`.execute(db)
  await sql`create index notification_by_order on notification (user_id, ((fill ->> 'order')::bigint)) where fill is not null`.execute(
    db,
  )
  await beginHere(db)
}

/**
 * Nobody is told today what happened before there was anything to tell it. A fact of a fill says the totals of its order, so that what an
 * order had filled by now must be there. In one statement, for workers of the release before go on trading beside it.
 */
async function beginHere(db: MigratedDb): Promise<void> {
  await sql`
    with began as (
      insert into notification_cursor select user_id, seq from account where user_id in (select id from users))
    insert into notification (user_id, subject, kind, at, code, text, state, fill)
    select o.user_id, 'before ' || o.id, case o.side when 'buy' then 'bought' else 'sold' end, o.updated_at, o.code,
      coalesce(s.name, o.code) || ' ' || to_char(o.filled_count, 'FM999,999,999') || '주를 '
        || case o.side when 'buy' then '샀습니다' else '팔았습니다' end, 'off',
      jsonb_build_object('order', o.id, 'side', o.side, 'count', o.filled_count, 'amount', o.filled_amount, 'net', null,
        'totalCount', o.filled_count, 'totalAmount', o.filled_amount)
    from account_order o join users u on u.id = o.user_id join account a on a.user_id = o.user_id and a.day = o.day
      left join stock s on s.user_id = o.user_id and s.code = o.code
    where o.filled_count between 1 and o.count - 1`.execute(db)
}

async function waysOut(db: MigratedDb): Promise<void> {
  await sql`
      create table notification_channel (
        id bigint generated always as identity primary key,
        user_id text not null references users on delete cascade,
        kind text not null check (kind in ('push', 'telegram', 'email', 'webhook')),
        label text not null,
        -- The address, for whoever has the server's key for addresses.
        sealed bytea not null,
        -- Of the address, so that one is there once.
        mark bytea not null,
        amounts boolean not null,
        state text not null default 'on' check (state in ('on', 'off')),
        -- Why it is off, or what the last try met.
        note text,
        failing_since bigint,
        created_at bigint not null,
        sent_at bigint,
        unique (user_id, mark)
      )`.execute(db)
  await sql`
      create table notification_delivery (
        bundle_id text not null references notification_bundle on delete cascade,
        channel_id bigint not null references notification_channel on delete cascade,
        user_id text not null,
        at bigint not null,
        state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped')),
        tries bigint not null default 0,
        next_at bigint not null,
        -- Whoever took it has it until then.
        taken_until bigint not null default 0,
        sent_at bigint,
        note text,
        -- The order in which a channel gets them: by the clock it would not be, where that is set back.
        place bigint generated always as identity,
        primary key (bundle_id, channel_id)
      )`.execute(db)
  await sql`create index notification_delivery_by_channel on notification_delivery (channel_id, place)`.execute(db)
  await sql`create index notification_delivery_waiting on notification_delivery (channel_id, place) where state = 'waiting'`.execute(
    db,
  )
  await sql`
      create table notification_setting (
        user_id text primary key references users on delete cascade,
        levels jsonb not null,
        -- Minutes of the KST day; equal: none.
        quiet_from bigint not null,
        quiet_to bigint not null
      )`.execute(db)
}

async function alarms(db: MigratedDb): Promise<void> {
  await sql`
      create table notification_alarm (
        user_id text not null references users on delete cascade,
        kind text not null,
        subject text not null,
        raised_at bigint not null,
        -- The process whose trouble it is; empty: the account's.
        process text not null default '',
        primary key (user_id, kind, subject, process)
      )`.execute(db)
  await sql`
      create table telegram_link (
        code_hash bytea primary key,
        user_id text not null references users on delete cascade,
        expires_at bigint not null
      )`.execute(db)
}
