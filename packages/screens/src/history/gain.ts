import type { GainDay } from '@digger/contract'
import { gainRatio } from '@digger/core'
import type { Db } from '@digger/database'
import { sql } from 'kysely'

export interface GainRow {
  readonly day: string
  readonly code: string
  readonly name: string | null
  /** Won: count × buy price, count × (sell − buy), and the same after fees and tax. */
  readonly buy: number
  readonly gain: number
  readonly net: number
  /** Trades sold, those that brought money after costs, and the ms all of them were held. */
  readonly sales: number
  readonly wins: number
  readonly held: number
}

/** Realised gain per KST day of the sale and stock, newest day first. Lots closed without a known sale are left out. */
export async function gainRows(db: Db, userId: string, from: string, to: string): Promise<GainRow[]> {
  const { rows } = await sql<GainRow>`
    select t.sell_day as day, t.code,
      coalesce(max(s.name), (select o.name from ordered o where o.user_id = ${userId} and o.code = t.code limit 1)) as name,
      sum(t.count * t.buy_price)::bigint as buy,
      sum(t.count * (t.sell_price - t.buy_price))::bigint as gain,
      sum(t.sell_amount - t.buy_amount - coalesce(t.fee, 0) - coalesce(t.tax, 0))::bigint as net,
      count(*)::bigint as sales,
      (count(*) filter (where t.sell_amount - t.buy_amount - coalesce(t.fee, 0) - coalesce(t.tax, 0) > 0))::bigint as wins,
      coalesce(sum(t.sold_at - t.bought_at), 0)::bigint as held
    from trade t left join stock s on s.user_id = t.user_id and s.code = t.code
    where t.user_id = ${userId} and t.closed and t.sell_price is not null and t.sell_day between ${from} and ${to}
    group by t.sell_day, t.code
    order by t.sell_day desc, t.code`.execute(db)
  return rows
}

/** Realised gain by day and stock, newest day first. */
export const gainDays = async (db: Db, userId: string, from: string, to: string): Promise<GainDay[]> =>
  byDay(await gainRows(db, userId, from, to))

/** Rows come newest day first; the days keep that order. */
function byDay(rows: readonly GainRow[]): GainDay[] {
  const days = Map.groupBy(rows, ({ day }) => day)
  return [...days].map(([date, ofDay]) => ({
    date,
    gain: total(ofDay),
    stockGainList: ofDay.map((row) => ({ code: row.code, name: row.name ?? row.code, gain: total([row]) })),
  }))
}

function total(rows: readonly GainRow[]): GainDay['gain'] {
  const sum = (pick: (row: GainRow) => number) => rows.reduce((all, row) => all + pick(row), 0)
  const buyAmount = sum(({ buy }) => buy)
  const gainAmount = sum(({ gain }) => gain)
  return {
    buyAmount,
    gainAmount,
    gainRatio: gainRatio(gainAmount, buyAmount),
    netGainAmount: sum(({ net }) => net),
    sales: sum(({ sales }) => sales),
    wins: sum(({ wins }) => wins),
    heldMs: sum(({ held }) => held),
  }
}
