import { sql } from 'kysely'
import type { Db } from '@digger/database'

/** Won. `gain`: as the specification counts it. */
export interface DaySums {
  readonly buys: number
  readonly bought: number
  readonly sales: number
  readonly sold: number
  readonly gain: number
  readonly net: number
}

export interface DoneRow {
  readonly at: number
  readonly code: string
  readonly name: string | null
  readonly side: 'buy' | 'sell'
  readonly count: number
  readonly amount: number
  readonly net: number | null
  readonly origin: 'auto' | 'person' | null
  readonly why: string | null
}

const net = sql`(t.sell_amount - t.buy_amount - coalesce(t.fee, 0) - coalesce(t.tax, 0))`
/** Corrections, whose sale nobody knows, are none. */
const ofDay = (userId: string, day: string) =>
  sql`t.user_id = ${userId} and t.closed and t.sell_day = ${day} and t.sell_amount is not null`

/**
 * What a KST day did, newest first: each buy order with what it has filled by now, and of the lots sold those together that one look
 * at the broker's list showed to be sold by one order. A part of a lot closes under a number of its own, and no order says that one.
 */
const doneOf = (userId: string, day: string) => sql`
  with sale as (
    select l.lot_id, max(o.id) as order_id
    from account_order o join order_lot l on l.user_id = o.user_id and l.order_id = o.id
    where o.user_id = ${userId} and o.day = ${day} and o.odno is not null and o.side = 'sell' and o.filled_count > 0
    group by l.lot_id
  ), done as (
    select updated_at as at, code, side, filled_count as count, filled_amount as amount, null::bigint as net, id as order_id
    from account_order
    where user_id = ${userId} and day = ${day} and odno is not null and side = 'buy' and filled_count > 0
    union all
    select t.sold_at, t.code, 'sell', sum(t.count)::bigint, sum(t.sell_amount)::bigint, sum(${net})::bigint, sale.order_id
    from trade t left join sale on sale.lot_id = t.id
    where ${ofDay(userId, day)}
    group by t.sold_at, t.code, sale.order_id
  )`

/** The newest `limit` of them. */
export async function dayDone(db: Db, userId: string, day: string, limit: number): Promise<DoneRow[]> {
  const { rows } = await sql<DoneRow>`
    ${doneOf(userId, day)}
    select d.at, d.code, s.name, d.side, d.count, d.amount, d.net, o.origin, o.why
    from done d
      left join stock s on s.user_id = ${userId} and s.code = d.code
      left join account_order o on o.user_id = ${userId} and o.id = d.order_id
    order by d.at desc, d.code, d.side, d.order_id desc
    limit ${limit}`.execute(db)
  return rows
}

export async function daySums(db: Db, userId: string, day: string): Promise<DaySums> {
  const { rows } = await sql<DaySums>`
    ${doneOf(userId, day)}
    select d.*, s.*
    from (
      select count(*) filter (where side = 'buy')::bigint as buys, count(*) filter (where side = 'sell')::bigint as sales,
        coalesce(sum(amount) filter (where side = 'buy'), 0)::bigint as bought,
        coalesce(sum(amount) filter (where side = 'sell'), 0)::bigint as sold, coalesce(sum(net), 0)::bigint as net
      from done
    ) d cross join (
      select coalesce(sum(t.count * (t.sell_price - t.buy_price)), 0)::bigint as gain from trade t where ${ofDay(userId, day)}
    ) s`.execute(db)
  return rows[0] ?? { buys: 0, bought: 0, sales: 0, sold: 0, gain: 0, net: 0 }
}

const MINUTE_MS = 60_000

/** Won realised net in each minute of a KST day that had sales, oldest first; `at`: the last sale of that minute. */
export async function netByMinute(db: Db, userId: string, day: string): Promise<{ at: number; net: number }[]> {
  const { rows } = await sql<{ at: number; net: number }>`
    select max(t.sold_at) as at, sum(${net})::bigint as net
    from trade t where ${ofDay(userId, day)}
    group by t.sold_at / ${MINUTE_MS}::bigint order by 1`.execute(db)
  return rows
}
