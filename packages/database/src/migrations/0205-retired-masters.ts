import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Master keys that another one replaced. A server that runs on with such a key must not wrap anything by it, and does
 * not know: the database refuses for it. A wrap that is already there stays; a new data key is stored without one.
 */
export const retiredMasters: Migration = {
  async up(db) {
    await sql`create table retired_master (mark text primary key, retired_at bigint not null)`.execute(db)
    await sql`
      create function refuse_retired_master() returns trigger language plpgsql as $$
      begin
        if not exists (select from retired_master where mark = new.master_mark) then
          return new;
        end if;
        if tg_op = 'UPDATE' and new.key_version = old.key_version then
          new.by_master := old.by_master;
          new.master_mark := old.master_mark;
        else
          new.by_master := null;
          new.master_mark := null;
        end if;
        return new;
      end $$`.execute(db)
    await sql`
      create trigger vault_retired_master before insert or update of by_master, master_mark on vault
      for each row execute function refuse_retired_master()`.execute(db)
  },
}
