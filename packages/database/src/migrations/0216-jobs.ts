import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Work for many users: bulk calls and what is done for everybody once a day. Whoever has a user's account takes the user's item
 * with `for update skip locked`, and ends it once (docs/decisions/044-jobs.md).
 */
export const jobs: Migration = {
  async up(db) {
    await sql`
      create table job (
        id bigint generated always as identity primary key,
        kind text not null,
        lane text not null,
        key text,
        by_user text references users,
        by_email text not null,
        at bigint not null,
        begin_by bigint not null,
        cancelled_at bigint,
        finished_at bigint,
        unique (kind, key)
      )`.execute(db)
    await sql`create index job_open on job (id) where finished_at is null`.execute(db)
    await sql`
      create table job_item (
        job_id bigint not null references job on delete cascade,
        user_id text not null references users,
        lane text not null,
        shard bigint not null,
        position bigint not null,
        state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
        result text,
        started_at bigint,
        finished_at bigint,
        runner text,
        attempts bigint not null default 0,
        primary key (job_id, user_id),
        -- An end has a time and a sentence, and only an end has.
        check ((state in ('waiting', 'running')) = (finished_at is null)),
        check ((finished_at is null) = (result is null))
      )`.execute(db)
    await sql`create index job_item_waiting on job_item (lane, job_id, position) where state = 'waiting'`.execute(db)
    await sql`create index job_item_open on job_item (job_id) where state in ('waiting', 'running')`.execute(db)
  },
}
