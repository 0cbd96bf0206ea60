import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

// Rows from before stay at version 0 until their user logs in: only then is there a password to wrap a new key with.
export const keyVersions: Migration = {
  async up(db) {
    await sql`
      alter table vault
        add column key_version bigint not null default 0 check (key_version >= 0),
        -- The next log-in makes a new key: somebody who once could open this one no longer may.
        add column rotation_due boolean not null default false,
        -- Cost of Argon2id, as PHC strings begin. Null: from before it was stored.
        add column password_cost text`.execute(db)
    await sql`
      alter table admin_key
        add column key_version bigint not null default 0 check (key_version >= 0),
        add column password_cost text`.execute(db)
    // Which program made each change: said to an older one that comes later.
    await sql`alter table kysely_migration add column by_version text`.execute(db)
    // Marks of account numbers must go on being made at the cost the first one was made at.
    await sql`
      insert into server_setting
      select 'account mark cost', '$argon2id$v=19$m=65536,t=3,p=1' from server_setting where name = 'account mark salt'
      on conflict do nothing`.execute(db)
    // Keys of people who are administrators no longer, and what was sealed for them.
    await sql`
      update vault set rotation_due = true where user_id in (
        select s.user_id from vault_share s join users a on a.id = s.admin_id where not a.digger_admin)`.execute(db)
    await sql`delete from admin_key using users where users.id = admin_key.admin_id and not users.digger_admin`.execute(
      db,
    )
  },
}
