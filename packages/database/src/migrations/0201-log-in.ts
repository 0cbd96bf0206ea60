import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const logIn: Migration = {
  async up(db) {
    // Doubling waits gave way to budgets that refill: what was counted before is of no use to them.
    await sql`drop table login_failure`.execute(db)
    await sql`
      create table login_budget (
        -- Kind and hash: e-mails and addresses of strangers are nobody's to read, and of any length.
        subject text primary key,
        -- When all that was spent will have been refilled.
        full_at bigint not null
      )`.execute(db)
    await sql`create index login_budget_by_time on login_budget (full_at)`.execute(db)
    await sql`
      create table known_device (
        token_hash bytea not null,
        user_id text not null references users on delete cascade,
        seen_at bigint not null,
        primary key (token_hash, user_id)
      )`.execute(db)
    await sql`create index known_device_by_user on known_device (user_id, seen_at desc)`.execute(db)
    await sql`
      create table login_failed (
        -- No reference: guesses at unknown e-mails are counted for 'nobody', so that both take the same time.
        user_id text not null,
        hour bigint not null,
        count bigint not null check (count > 0),
        last_at bigint not null,
        last_address text not null,
        primary key (user_id, hour)
      )`.execute(db)
    // Of a password somebody else made; null for one's own.
    await sql`alter table users add column password_ends_at bigint`.execute(db)
  },
}
