import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Changes } from './rows-of.ts'

/**
 * Writes any number of accounts' changes as one statement: atomic by itself, one round trip, one flush to disk.
 * Throws when a constraint refuses; then nothing of it is written.
 */
export async function writeChanges(db: Db, batch: readonly Changes[]): Promise<void> {
  const all = (key: keyof Changes) => JSON.stringify(batch.flatMap((changes): unknown => changes[key]))
  await sql`
    with
      a as (
        insert into account select * from jsonb_populate_recordset(null::account, ${all('account')}::jsonb)
        on conflict (user_id) do update set day = excluded.day, stop = excluded.stop,
          next_order_id = excluded.next_order_id, next_lot_id = excluded.next_lot_id, seq = excluded.seq
        -- Another writer of the same account would be behind or ahead: refuse instead of mixing two histories.
        where account.seq = excluded.seq - (select count(*) from jsonb_to_recordset(${all('journal')}::jsonb) as j(user_id text) where j.user_id = account.user_id)
        returning user_id
      ),
      j as (insert into journal select * from jsonb_populate_recordset(null::journal, ${all('journal')}::jsonb)),
      r as (
        delete from stock using jsonb_to_recordset(${all('removedStocks')}::jsonb) as gone(user_id text, code text)
        where stock.user_id = gone.user_id and stock.code = gone.code
      ),
      s as (
        insert into stock select * from jsonb_populate_recordset(null::stock, ${all('stocks')}::jsonb)
        on conflict (user_id, code) do update set name = excluded.name, market = excluded.market, kind = excluded.kind,
          nxt = excluded.nxt, settings = excluded.settings, stop = excluded.stop, blocked = excluded.blocked,
          price_subscribed = excluded.price_subscribed, acc_gain_amount = excluded.acc_gain_amount,
          rejects = excluded.rejects, version = excluded.version, updated_at = excluded.updated_at,
          checked_at = excluded.checked_at
      ),
      t as (
        insert into trade select * from jsonb_populate_recordset(null::trade, ${all('trades')}::jsonb)
        on conflict (user_id, id) do update set count = excluded.count, buy_price = excluded.buy_price,
          buy_amount = excluded.buy_amount, buy_order_id = excluded.buy_order_id, held_back = excluded.held_back,
          closed = excluded.closed, sell_price = excluded.sell_price, sell_amount = excluded.sell_amount,
          sold_at = excluded.sold_at, sell_day = excluded.sell_day, fee = excluded.fee, tax = excluded.tax
      ),
      o as (
        insert into account_order select * from jsonb_populate_recordset(null::account_order, ${all('orders')}::jsonb)
        on conflict (user_id, id) do update set status = excluded.status, live = excluded.live, odno = excluded.odno,
          orgno = excluded.orgno, filled_count = excluded.filled_count, filled_amount = excluded.filled_amount,
          updated_at = excluded.updated_at, note = excluded.note
      ),
      l as (
        insert into order_lot select * from jsonb_populate_recordset(null::order_lot, ${all('orderLots')}::jsonb)
        on conflict (user_id, order_id, position) do update set live = excluded.live
      )
    -- Divides by zero, and so undoes everything, when one account was refused above.
    select 1 / (count(*) = ${batch.length})::int as written from a`.execute(db)
}
