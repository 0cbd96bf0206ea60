import {
  emptyBook,
  evolve,
  kstDay,
  nextBuyPrice,
  type Book,
  type Fact,
  type HeldLot,
  type Issue,
  type Order,
  type Stock,
} from '@digger/core'
import { sql } from 'kysely'
import type { Clock, Database, Db, TradeRow, OrderLotRow, OrderRow, StockRow } from '@digger/database'
import { NoLeaseError } from './committer.ts'
import { changesOf } from './rows-of.ts'
import { writeChanges } from './store.ts'

export type Tables = Pick<Database, 'db' | 'pool' | 'lease' | 'inheritedMs' | 'silentMs'>

export interface Loaded {
  readonly book: Book
  /** Of the newest journal row. */
  readonly seq: number
}

/** An account that was read anew. */
export interface Reloaded extends Loaded {
  /** What the journal has beyond what was known: written, though the answer was lost. */
  readonly missed: readonly Fact[]
}

/** Reads accounts from the tables. */
export class AccountReader {
  readonly #tables: Tables
  readonly #clock: Clock

  constructor(tables: Tables, clock: Clock) {
    this.#tables = tables
    this.#clock = clock
  }

  load(userId: string): Promise<Loaded> {
    return loadOrCreate(this.#tables, userId, this.#clock.now())
  }

  /**
   * After a refused commit; `since` is the newest journal row that is known. Throws NoLeaseError where somebody else may
   * own the account by now.
   */
  async reload(userId: string, since: number): Promise<Reloaded> {
    if (!this.#tables.lease.held()) throw new NoLeaseError()
    const loaded = await this.load(userId)
    const rows = await this.#tables.db
      .selectFrom('journal')
      .select('fact')
      .where('user_id', '=', userId)
      .where('seq', '>', since)
      .orderBy('seq')
      .execute()
    return { ...loaded, missed: rows.map(({ fact }) => fact) }
  }
}

/** The book as the tables have it: stocks, open lots, live orders and those of its day. Null: the account is new. */
export async function loadBook(db: Db, userId: string): Promise<Loaded | null> {
  const account = await db.selectFrom('account').selectAll().where('user_id', '=', userId).executeTakeFirst()
  if (account === undefined) return null
  const stockRows = await db.selectFrom('stock').selectAll().where('user_id', '=', userId).orderBy('code').execute()
  const lots = await openLots(db, userId)
  const orders = await ordersSince(db, userId, await firstNeededDay(db, userId, account.day))
  const orderLots = await lotsOfOrders(
    db,
    userId,
    orders.map((row) => row.id),
  )
  const book: Book = {
    stocks: new Map(stockRows.map((row) => [row.code, stockOf(row, lots.get(row.code) ?? [])])),
    orders: new Map(orders.map((row) => [row.id, orderOf(row, orderLots.get(row.id) ?? [])])),
    stop: account.stop,
    limits: account.limits,
    venues: account.venues,
    otherServer: account.other_server,
    gainToday: await gainOn(db, userId, account.day),
    day: account.day,
    nextOrderId: account.next_order_id,
    nextLotId: account.next_lot_id,
  }
  return { book, seq: account.seq }
}

/** An account's journal begins with its first day. */
export async function loadOrCreate(
  { db, pool }: Pick<Tables, 'db' | 'pool'>,
  userId: string,
  now: number,
): Promise<Loaded> {
  const loaded = await loadBook(db, userId)
  if (loaded !== null) return loaded
  const day = kstDay(now)
  const fact: Fact = { kind: 'dayOpened', day, at: now }
  const book = evolve(emptyBook(''), fact)
  await writeChanges(pool, [changesOf(userId, 0, [fact], book)])
  return { book, seq: 1 }
}

/**
 * A reading covers the days from the oldest live order on: every order of ours in it must be known, or its row could
 * pass for an order without a verdict.
 */
async function firstNeededDay(db: Db, userId: string, today: string): Promise<string> {
  const row = await db
    .selectFrom('account_order')
    .select((column) => column.fn.min('day').as('day'))
    .where('user_id', '=', userId)
    .where('live', '=', true)
    .executeTakeFirst()
  return row?.day != null && row.day < today ? row.day : today
}

const ordersSince = (db: Db, userId: string, day: string): Promise<OrderRow[]> =>
  db
    .selectFrom('account_order')
    .selectAll()
    .where('user_id', '=', userId)
    .where('day', '>=', day)
    .orderBy('id')
    .execute()

async function openLots(db: Db, userId: string): Promise<Map<string, HeldLot[]>> {
  const rows = await db
    .selectFrom('trade')
    .selectAll()
    .where('user_id', '=', userId)
    .where('closed', '=', false)
    .orderBy('id')
    .execute()
  return new Map([...Map.groupBy(rows, (row) => row.code)].map(([code, group]) => [code, group.map(lotOf)]))
}

/** As `netGainOf` counts each: a sale without a price is a correction, and none. */
async function gainOn(db: Db, userId: string, day: string): Promise<number> {
  const row = await db
    .selectFrom('trade')
    .select(sql<number | null>`sum(sell_amount - buy_amount - fee - tax)::bigint`.as('gain'))
    .where('user_id', '=', userId)
    .where('closed', '=', true)
    .where('sell_day', '=', day)
    .executeTakeFirst()
  return row?.gain ?? 0
}

async function lotsOfOrders(db: Db, userId: string, ids: readonly number[]): Promise<Map<number, OrderLotRow[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('order_lot')
    .selectAll()
    .where('user_id', '=', userId)
    .where('order_id', 'in', ids)
    .orderBy('position')
    .execute()
  return Map.groupBy(rows, (row) => row.order_id)
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
