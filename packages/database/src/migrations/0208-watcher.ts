import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What the watcher writes: that it is there, and what it halted for. It halts through one function, so that its own role
 * needs no right to write the stop and can loosen nothing (docs/decisions/029-watcher.md).
 */
export const watcher: Migration = {
  async up(db) {
    // Why the whole server is stopped, where it was not a person who stopped it.
    await sql`alter table server_setting add column why text`.execute(db)
    await sql`
      create table watcher (
        id bigint primary key check (id = 1),
        looks bigint not null,
        trouble text
      )`.execute(db)
    await sql`
      create table watcher_finding (
        key text primary key,
        user_id text not null references users,
        at bigint not null,
        what text not null
      )`.execute(db)
    await sql`
      create trigger watcher_finding_append_only before update or delete or truncate on watcher_finding
      for each statement execute function refuse_change()`.execute(db)
    // Everybody reads the reason, and only whose account it is the finding. It halts once: when a person lets the server go on, the very same one does not halt it again.
    await sql`
      create function watcher_halt(finding_key text, whose text, reason text, finding text, found_at bigint)
      returns boolean
      language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        insert into watcher_finding (key, user_id, at, what) values (finding_key, whose, found_at, finding)
        on conflict do nothing;
        if not found then return false; end if;
        insert into server_setting (name, value, why) values ('serverStop', 'halt', reason)
        on conflict (name) do update set value = 'halt', why = excluded.why;
        insert into audit (at, user_id, by_email, action, detail)
        values (found_at, whose, '감시 프로그램', '서버 전체 멈춤', finding);
        return true;
      end $$`.execute(db)
    await sql`revoke execute on function watcher_halt from public`.execute(db)
  },
}
