import { nextBuyPrice, type Book, type HeldLot, type Issue, type Order, type Stock } from '@digger/core'
import { sql } from 'kysely'
import type { AccountRow, CommandKeyRow, Db, TradeRow, OrderLotRow, OrderRow, StockRow } from '@digger/database'
import type { Position } from './rows-of.ts'

export interface Loaded extends Position {
  readonly book: Book
  /** What people asked under a key, oldest first. */
  readonly keys: readonly CommandKeyRow[]
}

/** The book as the tables have it: stocks, open lots, live orders and those of its day. Null: the account is new. */
export async function loadBook(db: Db, userId: string): Promise<Loaded | null> {
  return (await loadBooks(db, [userId])).get(userId) ?? null
}

/** The books of some hundred users, with seven questions for all of them; those that are new are left out. */
export async function loadBooks(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, Loaded>> {
  const ids = [...userIds]
  const accounts = await db.selectFrom('account').selectAll().where(of(ids)).execute()
  if (accounts.length === 0) return new Map()
  const stocks = await db.selectFrom('stock').selectAll().where(of(ids)).orderBy('code').execute()
  const lots = await db
    .selectFrom('trade')
    .selectAll()
    .where(of(ids))
    .where('closed', '=', false)
    .orderBy('id')
    .execute()
  const orders = await neededOrders(db, ids)
  const rows: Rows = {
    stocks: Map.groupBy(stocks, userOf),
    lots: Map.groupBy(lots, userOf),
    orders: Map.groupBy(orders, userOf),
    orderLots: Map.groupBy(await lotsOf(db, orders), userOf),
    gains: await gainsToday(db, ids),
  }
  const keys = Map.groupBy(await commandKeys(db, ids), userOf)
  return new Map(
    accounts.map((account) => {
      const { user_id: userId, seq, epoch } = account
      return [userId, { book: bookOf(account, rows), seq, epoch, keys: keys.get(userId) ?? [] }]
    }),
  )
}

const commandKeys = (db: Db, ids: string[]): Promise<CommandKeyRow[]> =>
  db.selectFrom('command_key').selectAll().where(of(ids)).orderBy('at').execute()

const of = (ids: string[]) => sql<boolean>`user_id = any(${ids}::text[])`
const userOf = ({ user_id }: { readonly user_id: string }): string => user_id

type ByUser<T> = ReadonlyMap<string, readonly T[]>

interface Rows {
  readonly stocks: ByUser<StockRow>
  readonly lots: ByUser<TradeRow>
  readonly orders: ByUser<OrderRow>
  readonly orderLots: ByUser<OrderLotRow>
  readonly gains: ReadonlyMap<string, number>
}

function bookOf(account: AccountRow, rows: Rows): Book {
  const { user_id: userId } = account
  const lots = Map.groupBy(rows.lots.get(userId) ?? [], (row) => row.code)
  const orderLots = Map.groupBy(rows.orderLots.get(userId) ?? [], (row) => row.order_id)
  const stocks = (rows.stocks.get(userId) ?? []).map((row) => stockOf(row, (lots.get(row.code) ?? []).map(lotOf)))
  const orders = (rows.orders.get(userId) ?? []).map((row) => orderOf(row, orderLots.get(row.id) ?? []))
  return {
    stocks: new Map(stocks.map((stock) => [stock.issue.code, stock])),
    orders: new Map(orders.map((order) => [order.id, order])),
    stop: account.stop,
    limits: account.limits,
    venues: account.venues,
    otherServer: account.other_server,
    gainToday: rows.gains.get(userId) ?? 0,
    day: account.day,
    nextOrderId: account.next_order_id,
    nextLotId: account.next_lot_id,
  }
}

/**
 * A reading covers the days from the oldest live order on: every order of ours in it must be known, or its row could
 * pass for an order without a verdict.
 */
async function neededOrders(db: Db, ids: string[]): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select o.* from account_order o
    join (
      select a.user_id, least(a.day, (select min(l.day) from account_order l where l.user_id = a.user_id and l.live)) as day
      from account a where a.user_id = any(${ids}::text[])
    ) as needed on o.user_id = needed.user_id and o.day >= needed.day
    order by o.id`.execute(db)
  return rows
}

async function lotsOf(db: Db, orders: readonly OrderRow[]): Promise<OrderLotRow[]> {
  if (orders.length === 0) return []
  const users = orders.map((order) => order.user_id)
  const ids = orders.map((order) => order.id)
  const { rows } = await sql<OrderLotRow>`
    select l.* from order_lot l
    join unnest(${users}::text[], ${ids}::bigint[]) as wanted (user_id, id)
      on l.user_id = wanted.user_id and l.order_id = wanted.id
    order by l.position`.execute(db)
  return rows
}

/** As `netGainOf` counts each: a sale without a price is a correction, and none. */
async function gainsToday(db: Db, ids: string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ user_id: string; gain: number | null }>`
    select a.user_id, sum(t.sell_amount - t.buy_amount - t.fee - t.tax)::bigint as gain
    from account a join trade t on t.user_id = a.user_id and t.closed and t.sell_day = a.day
    where a.user_id = any(${ids}::text[]) group by a.user_id`.execute(db)
  return new Map(rows.map(({ user_id, gain }) => [user_id, gain ?? 0]))
}

const lotOf = (row: TradeRow): HeldLot => ({
  id: row.id,
  count: row.count,
  buyPrice: row.buy_price,
  buyAmount: row.buy_amount,
  boughtAt: row.bought_at,
  buyOrderId: row.buy_order_id,
  heldBack: row.held_back,
  takenOver: row.taken_over,
  ...(row.by_person && { byPerson: true }),
  ...(row.bought_before > 0 && { boughtBefore: row.bought_before }),
})

function stockOf(row: StockRow, lots: readonly HeldLot[]): Stock {
  const issue: Issue = { code: row.code, market: row.market, kind: row.kind, nxt: row.nxt }
  return {
    issue,
    name: row.name,
    settings: row.settings,
    stop: row.stop,
    blocked: row.blocked,
    kept: row.kept,
    frozen: row.frozen,
    settledOn: row.settled_on,
    moves: row.moves,
    expected: row.expected,
    priceSubscribed: row.price_subscribed,
    lots,
    nextBuyPrice: row.settings.autoBuy ? nextBuyPrice(row.settings, row.kind) : null,
    accGainAmount: row.acc_gain_amount,
    rejects: row.rejects,
    version: row.version,
    updatedAt: row.updated_at,
    checkedAt: row.checked_at,
  }
}

const orderOf = (row: OrderRow, lots: readonly OrderLotRow[]): Order => ({
  id: row.id,
  code: row.code,
  side: row.side,
  origin: row.origin,
  type: row.type,
  price: row.price,
  count: row.count,
  venue: row.venue,
  session: row.session,
  lots: lots.map((lot) => ({ lotId: lot.lot_id, count: lot.count })),
  status: row.status,
  day: row.day,
  odno: row.odno,
  orgno: row.orgno,
  filledCount: row.filled_count,
  filledAmount: row.filled_amount,
  reservedPrice: row.reserved_price,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  why: row.why,
  note: row.note,
  absentFrom: row.absent_from,
  cancelAsked: row.cancel_asked,
})
