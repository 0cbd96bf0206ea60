import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Which facts a worker reads, and the most that any owner of a shard could write: who reads less never gets it
 * (docs/decisions/045-rolling-upgrade.md). And who took shards from whom, for the page of the servers.
 */
export const moves: Migration = {
  async up(db) {
    // Nobody who is there already reads more than what there is.
    await sql`alter table worker add column facts bigint not null default 0`.execute(db)
    await sql`alter table worker add column since timestamptz not null default now()`.execute(db)
    await sql`alter table shard add column facts bigint not null default 0`.execute(db)
    await sql`alter table shard add column former text`.execute(db)
    await sql`
      create table shard_move (
        id bigint generated always as identity primary key,
        at timestamptz not null default now(),
        worker text not null,
        -- Whose they were; null: nobody's.
        former text,
        why text not null check (why in ('free', 'released', 'dead', 'again')),
        shards bigint not null
      )`.execute(db)
  },
}
