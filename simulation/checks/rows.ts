import { z } from 'zod'
import type { Stage } from '../stage.ts'

const Stop = z.enum(['active', 'reduce', 'halt'])
export type Stop = z.output<typeof Stop>

const OrderRow = z.object({
  id: z.coerce.number(),
  code: z.string(),
  side: z.enum(['buy', 'sell']),
  origin: z.enum(['auto', 'person']),
  type: z.string(),
  price: z.coerce.number(),
  count: z.coerce.number(),
  status: z.string(),
  live: z.boolean(),
  day: z.string(),
  odno: z.string().nullable(),
  filled_count: z.coerce.number(),
  reserved_price: z.coerce.number(),
  created_at: z.coerce.number(),
})
export type CommittedOrder = z.output<typeof OrderRow>

const ORDERS = `select id, code, side, origin, type, price, count, status, live, day, odno, filled_count, reserved_price, created_at
  from account_order where user_id = $1 order by id`

const Bounds = z.object({
  maxBuyPrice: z.number().nullable(),
  maxBuyAmount: z.number().nullable(),
  lastBuyPrice: z.number().nullable(),
  buyPercent: z.number(),
})
type Bounds = z.output<typeof Bounds>

const StockRow = z.object({ code: z.string(), stop: Stop, settings: z.looseObject({}) })
type StockRow = z.output<typeof StockRow>

const OwnLimits = z.object({
  orderAmount: z.number().optional(),
  dailyBuyAmount: z.number().optional(),
  ordersPerMinute: z.number().optional(),
})

/** What the database holds, committed, in this instant: never what a server believes. */
export class CommittedRows {
  readonly #stage: Stage
  readonly #stocks = new Map<string, { readonly commits: number; readonly byCode: ReadonlyMap<string, StockRow> }>()

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** False while a session has a transaction open: then nobody can look from outside. */
  get readable(): boolean {
    return !this.#stage.database.inTransaction
  }

  orders(userId: string): CommittedOrder[] {
    return z.array(OrderRow).parse(this.#stage.database.query(ORDERS, [userId]))
  }

  /** The strictest stop in force for a stock: server's, account's, its own. */
  stopOf(userId: string, code: string): Stop {
    const found = this.#stage.database.query(
      `select value as stop from server_setting where name = 'serverStop'
       union all select stop from account where user_id = $1
       union all select stop from stock where user_id = $1 and code = $2`,
      [userId, code],
    )
    const rows = z.array(z.object({ stop: Stop })).parse(found)
    const stops = new Set(rows.map(({ stop }) => stop))
    return stops.has('halt') ? 'halt' : stops.has('reduce') ? 'reduce' : 'active'
  }

  /** The stop of a stock, or with null of the account, alone; null: no such row. */
  ownStop(userId: string, code: string | null): Stop | null {
    if (code !== null) return this.#stocksOf(userId).get(code)?.stop ?? null
    const found = this.#stage.database.query('select stop from account where user_id = $1', [userId])
    return z.array(z.object({ stop: Stop })).parse(found)[0]?.stop ?? null
  }

  settings(userId: string, code: string): object | null {
    return this.#stocksOf(userId).get(code)?.settings ?? null
  }

  /** All stocks at once, read again when anything was committed since: most looks are at many stocks. */
  #stocksOf(userId: string): ReadonlyMap<string, StockRow> {
    const { commits } = this.#stage.database.counts
    const known = this.#stocks.get(userId)
    if (known?.commits === commits) return known.byCode
    const found = this.#stage.database.query('select code, stop, settings from stock where user_id = $1', [userId])
    const byCode = new Map(
      z
        .array(StockRow)
        .parse(found)
        .map((row) => [row.code, row]),
    )
    this.#stocks.set(userId, { commits, byCode })
    return byCode
  }

  /** The shares of an order's lots that another live order holds already. */
  lotsTwice(userId: string, orderId: number): number {
    const found = this.#stage.database.query(
      `select count(*)::int as twice from order_lot one join order_lot other using (user_id, lot_id)
       where one.user_id = $1 and one.order_id = $2 and other.order_id <> $2 and other.live and one.live`,
      [userId, orderId],
    )
    return z.tuple([z.object({ twice: z.number() })]).parse(found)[0].twice
  }

  setting(userId: string, code: string): Bounds | null {
    const settings = this.settings(userId, code)
    return settings === null ? null : Bounds.parse(settings)
  }

  /** What the person chose. */
  limits(userId: string): z.output<typeof OwnLimits> {
    const found = this.#stage.database.query(`select limits->'own' as own from account where user_id = $1`, [userId])
    return z.array(z.object({ own: OwnLimits })).parse(found)[0]?.own ?? {}
  }

  /** Whether the price that the next buy is counted from was moved, or set by a person, after an order was made. */
  referenceChangedSince(userId: string, code: string, orderId: number): boolean {
    const found = this.#stage.database.query(
      `select 1 from journal where user_id = $1 and fact->>'code' = $2 and fact->>'kind' in ('referenceMoved', 'settingsSaved')
       and seq > (select max(seq) from journal where user_id = $1 and fact->>'kind' = 'orderIntended' and (fact->'order'->>'id')::bigint = $3)`,
      [userId, code, orderId],
    )
    return z.array(z.unknown()).parse(found).length > 0
  }

  /** Shares booked of an order; null: the book does not have it. */
  filledCount(userId: string, day: string, odno: string): number | null {
    const found = this.#stage.database.query(
      'select filled_count as count from account_order where user_id = $1 and day = $2 and odno = $3',
      [userId, day, odno],
    )
    return z.array(z.object({ count: z.coerce.number() })).parse(found)[0]?.count ?? null
  }

  /** Whether two orders are for the same lot. */
  lotsShared(userId: string, one: number, other: number): boolean {
    const found = this.#stage.database.query(
      `select 1 from order_lot one join order_lot other using (user_id, lot_id)
       where one.user_id = $1 and one.order_id = $2 and other.order_id = $3 limit 1`,
      [userId, one, other],
    )
    return z.array(z.unknown()).parse(found).length > 0
  }

  costOf(userId: string, code: string): number {
    const found = this.#stage.database.query(
      'select coalesce(sum(buy_amount), 0)::bigint as cost from trade where user_id = $1 and code = $2 and not closed',
      [userId, code],
    )
    return z.tuple([z.object({ cost: z.coerce.number() })]).parse(found)[0].cost
  }
}
