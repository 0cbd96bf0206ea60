import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Users' keys, sealed for each worker that is there: whoever takes an account over opens its key without anybody
 * (docs/decisions/042-keys-of-several-workers.md). The private halves are in the workers' memories only.
 */
export const keyShares: Migration = {
  async up(db) {
    await sql`alter table worker add column public_key bytea, add column proof bytea`.execute(db)
    await sql`
      create table key_share (
        user_id text not null references vault on delete cascade,
        -- A hash of the worker's public key: the process keeps it when it has to begin again under a new name.
        recipient text not null,
        key_version bigint not null,
        sealed bytea not null,
        primary key (user_id, recipient)
      )`.execute(db)
    await sql`create index key_share_recipient on key_share (recipient, shard_of(user_id))`.execute(db)
    // Whatever closes a key or replaces it, also a program of an earlier version: nobody opens it by a share any more.
    await sql`
      create function drop_key_shares() returns trigger language plpgsql as $$
      begin
        delete from key_share where user_id = new.user_id;
        return null;
      end $$`.execute(db)
    await sql`
      create trigger vault_key_shares after update of held, key_version on vault for each row
      when (not new.held or new.key_version <> old.key_version) execute function drop_key_shares()`.execute(db)
  },
}
