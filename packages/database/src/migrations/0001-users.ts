import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

// Instants are epoch ms and money is whole won, both bigint. Days are KST YYYYMMDD.
export const users: Migration = {
  async up(db) {
    await sql`
      create table users (
        id text primary key check (id ~ '^[a-z2-7]{10,}$'),
        email text not null unique check (email = lower(email)),
        password_hash text not null,
        digger_admin boolean not null default false,
        account_masked text not null,
        -- Slow hash of the account number: one account has one engine, and the number cannot be guessed back from it.
        account_mark bytea not null unique,
        bank_balance bigint not null default 0 check (bank_balance >= 0),
        created_at bigint not null
      )`.execute(db)
    await sql`
      create table session (
        token_hash bytea primary key,
        user_id text not null references users on delete cascade,
        created_at bigint not null,
        seen_at bigint not null,
        expires_at bigint not null
      )`.execute(db)
    await sql`create index session_by_user on session (user_id)`.execute(db)
    await sql`
      create table login_failure (
        subject text primary key,
        failures bigint not null check (failures > 0),
        last_at bigint not null,
        blocked_until bigint not null
      )`.execute(db)
    await sql`create table server_setting (name text primary key, value text not null)`.execute(db)
  },
}
