import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Who may write an account. Users are spread over 256 shards, for ever; whoever takes a shard counts its epoch up, in its accounts
 * too, and each commit names the epoch it was decided in: one of an owner before is refused
 * (docs/decisions/040-epoch-in-the-commit.md, 041-who-has-which-shard.md).
 */
export const shards: Migration = {
  async up(db) {
    // The first byte of MD5: the same in every version of PostgreSQL, and in `shards.ts`.
    await sql`
      create function shard_of(user_id text) returns bigint language sql immutable parallel safe
      return ('x' || substr(md5(user_id), 1, 2))::bit(8)::bigint`.execute(db)
    await sql`create table shard (
        id bigint primary key,
        epoch bigint not null,
        worker text,
        -- By its owner, with nothing on the wire.
        released boolean not null default false
      )`.execute(db)
    await sql`insert into shard (id, epoch) select id, 0 from generate_series(0, 255) as id`.execute(db)
    await sql`alter table account add column epoch bigint not null default 0`.execute(db)
    await sql`create index account_shard on account (shard_of(user_id))`.execute(db)
    // The processes that share the accounts, where there are several.
    await sql`create sequence worker_lock maxvalue 2147483647 cycle`.execute(db)
    await sql`
      create table worker (
        id text primary key,
        version text not null,
        -- Taken by its session before the row is there: where it is free, the session is gone.
        lock bigint not null,
        host text not null,
        pid bigint not null,
        pid_namespace text not null,
        boot_id text not null,
        started text not null,
        tcp_retries bigint,
        until timestamptz not null,
        draining boolean not null default false,
        buried boolean not null default false
      )`.execute(db)
  },
}
