import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const vault: Migration = {
  async up(db) {
    await sql`
      create table vault (
        user_id text primary key references users on delete cascade,
        credentials bytea not null,
        by_password bytea,
        password_salt bytea,
        by_master bytea,
        -- Which master key wrapped: another file is told at once, not as damaged data.
        master_mark text,
        -- False after an administrator took the key away: a restart must not bring it back.
        held boolean not null default true,
        changed_at bigint not null,
        check ((by_password is null) = (password_salt is null)),
        check ((by_master is null) = (master_mark is null))
      )`.execute(db)
    await sql`
      create table admin_key (
        admin_id text primary key references users on delete cascade,
        public_key bytea not null,
        private_by_password bytea not null,
        password_salt bytea not null,
        created_at bigint not null
      )`.execute(db)
    await sql`
      create table vault_share (
        user_id text not null references vault on delete cascade,
        admin_id text not null references admin_key on delete cascade,
        sealed bytea not null,
        primary key (user_id, admin_id)
      )`.execute(db)
    await sql`
      create table broker_token (
        user_id text not null references users on delete cascade,
        env text not null,
        sealed bytea not null,
        expires_at bigint not null,
        primary key (user_id, env)
      )`.execute(db)
  },
}
