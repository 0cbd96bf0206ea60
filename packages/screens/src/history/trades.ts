import { sql } from 'kysely'
import type { Db, TradeRow } from '@digger/database'

/** A screen shows this many past trades at most; the gain report has the sums of all. */
const MAX_TRADES = 1_000

/** Past trades of a stock, newest buy first. */
export const closedTrades = (db: Db, userId: string, code: string): Promise<TradeRow[]> =>
  db
    .selectFrom('trade')
    .selectAll()
    .where('user_id', '=', userId)
    .where('code', '=', code)
    .where('closed', '=', true)
    .orderBy('bought_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_TRADES)
    .execute()

export interface GainRow {
  readonly day: string
  readonly code: string
  readonly name: string | null
  /** Won: count × buy price, count × (sell − buy), and the same after fees and tax. */
  readonly buy: number
  readonly gain: number
  readonly net: number
}

/** Realised gain per KST day of the sale and stock, newest day first. Lots closed without a known sale are left out. */
export async function gainRows(db: Db, userId: string, from: string, to: string): Promise<GainRow[]> {
  const { rows } = await sql<GainRow>`
    select t.sell_day as day, t.code,
      coalesce(max(s.name), (select o.name from ordered o where o.user_id = ${userId} and o.code = t.code limit 1)) as name,
      sum(t.count * t.buy_price)::bigint as buy,
      sum(t.count * (t.sell_price - t.buy_price))::bigint as gain,
      sum(t.sell_amount - t.buy_amount - coalesce(t.fee, 0) - coalesce(t.tax, 0))::bigint as net
    from trade t left join stock s on s.user_id = t.user_id and s.code = t.code
    where t.user_id = ${userId} and t.closed and t.sell_price is not null and t.sell_day between ${from} and ${to}
    group by t.sell_day, t.code
    order by t.sell_day desc, t.code`.execute(db)
  return rows
}
