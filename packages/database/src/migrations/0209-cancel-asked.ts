import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether Digger asked for an order's end: one that ended without it was cancelled by somebody else, and is not made again that day. */
export const cancelAsked: Migration = {
  async up(db) {
    await sql`alter table account_order add column cancel_asked boolean not null default false`.execute(db)
    await sql`
      update account_order set cancel_asked = true
      from (
        select distinct user_id, (fact->>'orderId')::bigint as order_id
        from journal where fact->>'kind' = 'cancelAsked'
      ) asked
      where asked.user_id = account_order.user_id and asked.order_id = account_order.id`.execute(db)
    await sql`alter table account_order alter column cancel_asked drop default`.execute(db)
  },
}
