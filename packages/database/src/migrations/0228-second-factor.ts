import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Passkeys, one-time codes and recovery codes; what a session shows of itself, and when its person last proved who they are. */
export const secondFactor: Migration = {
  async up(db) {
    await sql`
      create table passkey (
        credential_id text primary key,
        user_id text not null references users on delete cascade,
        public_key bytea not null,
        counter bigint not null,
        transports text not null,
        name text not null,
        backed_up boolean not null,
        by_prf bytea,
        key_version bigint,
        created_at bigint not null,
        used_at bigint
      )`.execute(db)
    await sql`create index passkey_user on passkey (user_id)`.execute(db)
    await sql`
      create table totp (
        user_id text primary key references users on delete cascade,
        sealed bytea not null,
        confirmed_at bigint,
        last_step bigint not null default 0,
        created_at bigint not null
      )`.execute(db)
    await sql`
      create table recovery_code (
        user_id text not null references users on delete cascade,
        code_hash bytea not null,
        salt bytea not null,
        cost text not null,
        used_at bigint,
        primary key (user_id, code_hash)
      )`.execute(db)
    await sql`
      create table used_challenge (
        challenge text primary key,
        expires_at bigint not null
      )`.execute(db)
    await sql`
      alter table session
        add column proven_at bigint not null default 0,
        add column factor text,
        add column address text not null default '',
        add column agent text not null default '',
        add column device_hash bytea`.execute(db)
  },
}
