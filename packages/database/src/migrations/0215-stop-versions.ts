import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The stop of the server has a version that grows with each change, whoever writes it, and each worker says which one it has
 * applied (docs/decisions/043-stop-holds-before-the-answer.md).
 */
export const stopVersions: Migration = {
  async up(db) {
    // By the clock, so that it grows also over a row that was removed and written anew.
    await sql`
      create function next_version(before bigint) returns bigint language sql as $$
        select greatest(before + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint)
      $$`.execute(db)
    await sql`alter table server_setting add column version bigint not null default next_version(0)`.execute(db)
    await sql`
      create function count_version() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        new.version := next_version(old.version);
        return new;
      end $$`.execute(db)
    await sql`
      create trigger server_setting_version before update on server_setting
      for each row execute function count_version()`.execute(db)
    // -1: it has read none yet; 0: it has read that there is none.
    await sql`alter table worker add column stop_seen bigint not null default -1`.execute(db)
  },
}
