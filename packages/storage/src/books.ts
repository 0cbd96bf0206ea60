import { nextBuyPrice, type Book, type HeldLot, type Issue, type Order, type Realised, type Stock } from '@digger/core'
import { sql } from 'kysely'
import type { AccountRow, CommandKeyRow, Db, TradeRow, OrderRow, StockRow } from '@digger/database'
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

/**
 * The books of some hundred users, with six questions for all of them; those that are new are left out. The database puts
 * each user's rows into one JSON text: a driver that makes every cell of a million rows costs four times as much.
 */
export async function loadBooks(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, Loaded>> {
  const ids = [...userIds]
  const accounts = await db.selectFrom('account').selectAll().where(of(ids)).execute()
  if (accounts.length === 0) return new Map()
  const rows: Rows = {
    stocks: await stocksOf(db, ids),
    lots: await openLotsOf(db, ids),
    orders: await neededOrders(db, ids),
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

const userOf = ({ user_id }: { readonly user_id: string }): string => user_id

const commandKeys = (db: Db, ids: string[]): Promise<CommandKeyRow[]> =>
  db.selectFrom('command_key').selectAll().where(of(ids)).orderBy('at').execute()

const of = (ids: string[]) => sql<boolean>`user_id = any(${ids}::text[])`

type LotCells = Omit<TradeRow, 'user_id' | 'closed' | `sell_${string}` | 'sold_at' | 'fee' | 'tax'>
type OrderCells = Omit<OrderRow, 'user_id' | 'live'> & { readonly lots: Order['lots'] | null }
type ByUser<T> = ReadonlyMap<string, readonly T[]>

interface Rows {
  readonly stocks: ByUser<StockRow>
  readonly lots: ByUser<LotCells>
  readonly orders: ByUser<OrderCells>
  readonly gains: ByUser<GainCells>
}

interface RowsOfUser<T> {
  readonly user_id: string
  readonly rows: readonly T[]
}

/** As the driver does: beyond 2^53 a number would lie, so it is refused instead. No column of these tables has fractions. */
function byUser<T extends object>(users: readonly RowsOfUser<T>[]): ByUser<T> {
  for (const { user_id: userId, rows } of users)
    for (const row of rows)
      for (const column in row) {
        const value = row[column]
        if (typeof value === 'number' && !Number.isSafeInteger(value))
          throw new RangeError(`${userId}: ${column} ${value} is beyond 2^53`)
      }
  return new Map(users.map(({ user_id, rows }) => [user_id, rows]))
}

function bookOf(account: AccountRow, rows: Rows): Book {
  const { user_id: userId } = account
  const lots = Map.groupBy(rows.lots.get(userId) ?? [], ({ code }) => code)
  const stocks = (rows.stocks.get(userId) ?? []).map((row) => stockOf(row, (lots.get(row.code) ?? []).map(lotOf)))
  const orders = (rows.orders.get(userId) ?? []).map(orderOf)
  const gains = rows.gains.get(userId) ?? []
  return {
    stocks: new Map(stocks.map((stock) => [stock.issue.code, stock])),
    orders: new Map(orders.map((order) => [order.id, order])),
    stop: account.stop,
    shadow: account.shadow ?? false,
    limits: account.limits,
    venues: account.venues,
    otherServer: account.other_server,
    gainToday: gains.reduce((sum, { net }) => sum + net, 0),
    realisedToday: new Map(gains.map(({ code, gross, net }) => [code, { gross, net }])),
    day: account.day,
    nextOrderId: account.next_order_id,
    nextLotId: account.next_lot_id,
  }
}

async function stocksOf(db: Db, ids: string[]): Promise<ByUser<StockRow>> {
  const { rows } = await sql<RowsOfUser<StockRow>>`
    select user_id, json_agg(stock order by code) as rows from stock where ${of(ids)} group by user_id`.execute(db)
  return byUser(rows)
}

async function openLotsOf(db: Db, ids: string[]): Promise<ByUser<LotCells>> {
  const { rows } = await sql<RowsOfUser<LotCells>>`
    select user_id, json_agg(lot order by lot.id) as rows
    from trade t cross join lateral (
      select t.id, t.code, t.count, t.buy_price, t.buy_amount, t.bought_at, t.buy_order_id, t.held_back, t.taken_over,
        t.by_person, t.bought_before
    ) as lot
    where ${of(ids)} and not closed group by user_id`.execute(db)
  return byUser(rows)
}

/**
 * A reading covers the days from the oldest live order on: every order of ours in it must be known, or its row could
 * pass for an order without a verdict.
 */
async function neededOrders(db: Db, ids: string[]): Promise<ByUser<OrderCells>> {
  const { rows } = await sql<RowsOfUser<OrderCells>>`
    select o.user_id, json_agg(cells order by cells.id) as rows
    from (
      select a.user_id, least(a.day, (select min(l.day) from account_order l where l.user_id = a.user_id and l.live)) as day
      from account a where a.user_id = any(${ids}::text[])
    ) as needed
    join account_order o on o.user_id = needed.user_id and o.day >= needed.day
    cross join lateral (
      select o.id, o.code, o.side, o.origin, o.type, o.price, o.count, o.venue, o.session, o.status, o.day, o.odno, o.orgno,
        o.filled_count, o.filled_amount, o.reserved_price, o.created_at, o.updated_at, o.why, o.note, o.absent_from,
        o.cancel_asked, o.cancel_wanted,
        (
          select json_agg(json_build_object('lotId', l.lot_id, 'count', l.count) order by l.position)
          from order_lot l where l.user_id = o.user_id and l.order_id = o.id
        ) as lots
    ) as cells
    group by o.user_id`.execute(db)
  return byUser(rows)
}

interface GainCells extends Realised {
  readonly code: string
}

/** As `netGainOf` counts each, by stock: a sale without a price is a correction, and none. */
async function gainsToday(db: Db, ids: string[]): Promise<ByUser<GainCells>> {
  const { rows } = await sql<RowsOfUser<GainCells>>`
    select user_id, json_agg(json_build_object('code', code, 'gross', gross, 'net', net) order by code) as rows
    from (
      select a.user_id, t.code, sum(t.count * (t.sell_price - t.buy_price))::bigint as gross,
        sum(t.sell_amount - t.buy_amount - coalesce(t.fee, 0) - coalesce(t.tax, 0))::bigint as net
      from account a join trade t on t.user_id = a.user_id and t.closed and t.sell_day = a.day and t.sell_price is not null
      where a.user_id = any(${ids}::text[]) group by a.user_id, t.code
    ) as sums
    group by user_id`.execute(db)
  return byUser(rows)
}

function lotOf(row: LotCells): HeldLot {
  const lot: HeldLot = {
    id: row.id,
    count: row.count,
    buyPrice: row.buy_price,
    buyAmount: row.buy_amount,
    boughtAt: row.bought_at,
    buyOrderId: row.buy_order_id,
    heldBack: row.held_back,
    takenOver: row.taken_over,
  }
  if (!row.by_person && row.bought_before === 0) return lot
  return {
    ...lot,
    ...(row.by_person && { byPerson: true }),
    ...(row.bought_before > 0 && { boughtBefore: row.bought_before }),
  }
}

function stockOf(row: StockRow, lots: readonly HeldLot[]): Stock {
  const issue: Issue = { code: row.code, market: row.market, kind: row.kind, nxt: row.nxt }
  return {
    issue,
    name: row.name,
    settings: row.settings,
    stop: row.stop,
    blocked: row.blocked,
    kept: row.kept,
    shadow: row.shadow ?? false,
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

const orderOf = (row: OrderCells): Order => ({
  id: row.id,
  code: row.code,
  side: row.side,
  origin: row.origin,
  type: row.type,
  price: row.price,
  count: row.count,
  venue: row.venue,
  session: row.session,
  lots: row.lots ?? [],
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
  // As the journal has it: whoever wrote the row before this column wrote no wish either.
  cancelWanted: row.cancel_wanted ?? false,
})
