import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who trades this database, and from when on an order without a reply counts as absent. */
export const holder: Migration = {
  async up(db) {
    await sql`
      create table engine_holder (
        id bigint primary key check (id = 1),
        host text not null,
        pid bigint not null,
        pid_namespace text not null,
        boot_id text not null,
        started text not null,
        tcp_retries bigint,
        seen_at bigint not null
      )`.execute(db)
    await sql`alter table account_order add column absent_from bigint`.execute(db)
    // As `evolve` reads the facts written before: twenty seconds after the newest loss.
    await sql`
      update account_order set absent_from = lost.at + 20000
      from (
        select user_id, (fact ->> 'orderId')::bigint as order_id, max(at) as at
        from journal where fact ->> 'kind' = 'orderLost' group by 1, 2
      ) as lost
      where account_order.user_id = lost.user_id and account_order.id = lost.order_id`.execute(db)
  },
}
