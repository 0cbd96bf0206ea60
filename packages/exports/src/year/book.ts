import { addDays, costs, kstDay } from '@digger/core'
import { background, type Db } from '@digger/database'
import { sql } from 'kysely'
import { closedLots, type LotRow, openLots } from '../tables/lots.ts'
import { ordersOf } from '../tables/orders.ts'

/** Of one stock on one day, won, as Digger has it. */
export interface OwnDeals {
  name: string
  buyAmount: number
  sellAmount: number
  /** Of the deals of this day, by the usual rate. */
  fee: number
  tax: number
  /** Of the lots that were sold: after the costs of both sides, whenever they were bought. */
  gainAmount: number
  soldCost: number
  /** Fee of the lots that were sold, of both sides. */
  lotFee: number
  orders: number
  sales: number
  /** Lots that a correction closed, without a sale. */
  corrections: number
  /** What the broker's list has beside Digger's own orders. */
  foreignBuyAmount: number
  foreignSellAmount: number
}

/** A year of an account as its tables have it. */
export interface YearBook {
  readonly year: string
  /** Closed in the year, oldest sale first. */
  readonly lots: readonly LotRow[]
  /** By `dealsKey`. */
  readonly deals: ReadonlyMap<string, OwnDeals>
  /** Codes of ETFs: on their gain the broker may keep income tax, which is not in the estimate. */
  readonly etfs: ReadonlySet<string>
  /** Codes of which the person has, or had, shares of their own: they move the broker's average. */
  readonly mixed: ReadonlySet<string>
  /** By code: the first day on which a lot was bought that is held beyond the year. */
  readonly heldBeyond: ReadonlyMap<string, string>
}

export const dealsKey = (day: string, code: string): string => `${day} ${code}`

/** A year has this many at most: the file is made in memory. */
export const MAX_LOTS = 50_000

/** Null: it has more than `MAX_LOTS`. `until`: its last day, or today. */
export async function readYear(db: Db, userId: string, year: string, until: string): Promise<YearBook | null> {
  const from = `${year}0101`
  const deals = new Map<string, OwnDeals>()
  const heldBeyond = new Map<string, string>()
  const lots: LotRow[] = []
  for await (const page of openLots(db, userId)) for (const lot of page) holdBeyond(heldBeyond, lot)
  for await (const page of closedLots(db, userId, { from, to: null })) {
    for (const lot of page) {
      if ((lot.sell_day ?? '') > until) holdBeyond(heldBeyond, lot)
      else lots.push(lot)
    }
    if (lots.length > MAX_LOTS) return null
  }
  lots.reverse()
  for (const lot of lots) addLot(deals, lot)
  for await (const page of ordersOf(db, userId, { from, to: until })) for (const order of page) addOrder(deals, order)
  await addForeign(db, userId, { from, until }, deals)
  return { year, lots, deals, heldBeyond, ...(await stocksOf(db, userId)) }
}

function holdBeyond(held: Map<string, string>, { code, bought_at }: LotRow): void {
  const day = kstDay(bought_at)
  const known = held.get(code)
  if (known === undefined || day < known) held.set(code, day)
}

function dealsAt(deals: Map<string, OwnDeals>, day: string, code: string, name: string): OwnDeals {
  const key = dealsKey(day, code)
  const known = deals.get(key)
  if (known !== undefined) return known
  const fresh = { ...NO_DEALS, name }
  deals.set(key, fresh)
  return fresh
}

export const NO_DEALS: Readonly<OwnDeals> = {
  name: '',
  buyAmount: 0,
  sellAmount: 0,
  fee: 0,
  tax: 0,
  gainAmount: 0,
  soldCost: 0,
  lotFee: 0,
  orders: 0,
  sales: 0,
  corrections: 0,
  foreignBuyAmount: 0,
  foreignSellAmount: 0,
}

function addLot(deals: Map<string, OwnDeals>, lot: LotRow): void {
  const day = dealsAt(deals, lot.sell_day ?? '', lot.code, lot.name)
  const net = lot.trade.netGainAmount
  if (net === null) {
    day.corrections += 1
    return
  }
  day.gainAmount += net
  day.soldCost += lot.buy_amount
  day.lotFee += lot.fee ?? 0
  day.tax += lot.tax ?? 0
}

type Filled = { day: string; code: string; name: string; side: 'buy' | 'sell'; filled_amount: number }

/** The fee is the same for every market and kind; the tax is in the lots. */
function addOrder(deals: Map<string, OwnDeals>, { day, code, name, side, filled_amount: amount }: Filled): void {
  if (amount === 0) return
  const own = dealsAt(deals, day, code, name)
  own.orders += 1
  own.fee += costs({ side, amount, market: 'KOSPI', kind: 'stock', day }).fee
  if (side === 'buy') own.buyAmount += amount
  else {
    own.sellAmount += amount
    own.sales += 1
  }
}

/** Days of one statement of what others ordered. */
const WINDOW_DAYS = 31

async function addForeign(
  db: Db,
  userId: string,
  { from, until }: { from: string; until: string },
  deals: Map<string, OwnDeals>,
): Promise<void> {
  for (let day = from; day <= until; day = addDays(day, WINDOW_DAYS)) {
    const last = addDays(day, WINDOW_DAYS - 1)
    await background.own()
    const { rows } = await sql<{ day: string; code: string; name: string; side: 'buy' | 'sell'; amount: number }>`
      select o.day, o.code, max(o.name) as name, o.side, sum(o.amount)::bigint as amount from ordered o
      where o.user_id = ${userId} and o.day between ${day} and ${last < until ? last : until} and not exists (
        select from account_order a where a.user_id = o.user_id and a.day = o.day and a.odno = o.odno)
      group by o.day, o.code, o.side`.execute(db)
    for (const row of rows) {
      const own = dealsAt(deals, row.day, row.code, row.name)
      if (row.side === 'buy') own.foreignBuyAmount += row.amount
      else own.foreignSellAmount += row.amount
    }
  }
}

async function stocksOf(db: Db, userId: string): Promise<Pick<YearBook, 'etfs' | 'mixed'>> {
  const stocks = await db.selectFrom('stock').select(['code', 'kind', 'kept']).where('user_id', '=', userId).execute()
  const codes = (list: typeof stocks) => new Set(list.map(({ code }) => code))
  return {
    etfs: codes(stocks.filter(({ kind }) => kind === 'etf')),
    mixed: codes(stocks.filter(({ kept }) => kept > 0)),
  }
}
