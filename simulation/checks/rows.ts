import { z } from 'zod'
import type { Stage } from '../stage.ts'
import { CommittedQuery } from './committed-query.ts'

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
  absent_from: z.coerce.number().nullable(),
})
export type CommittedOrder = z.output<typeof OrderRow>

const ORDERS = `select id, code, side, origin, type, price, count, status, live, day, odno, filled_count, reserved_price, created_at, absent_from
  from account_order where user_id = $1`

const Bounds = z.object({
  maxBuyPrice: z.number().nullable(),
  maxBuyAmount: z.number().nullable(),
  lastBuyPrice: z.number().nullable(),
  buyPercent: z.number(),
})
type Bounds = z.output<typeof Bounds>

const OwnLimits = z.object({
  orderAmount: z.number().optional(),
  dailyBuyAmount: z.number().optional(),
  ordersPerMinute: z.number().optional(),
})

const StockRow = z.object({
  code: z.string(),
  stop: Stop,
  block: z.string().nullable(),
  shadow: z.boolean(),
  settings: z.looseObject({}),
})
type StockRow = z.output<typeof StockRow>

const Stops = z.array(z.object({ stop: Stop }))
const Found = z.array(z.unknown())

const STOPS = `select value as stop from server_setting where name = 'serverStop'
  union all select stop from account where user_id = $1
  union all select stop from stock where user_id = $1 and code = $2`
const LOTS_TWICE = `select count(*)::int as twice from order_lot one join order_lot other using (user_id, lot_id)
  where one.user_id = $1 and one.order_id = $2 and other.order_id <> $2 and other.live and one.live`
const REFERENCE_CHANGED = `select 1 from journal where user_id = $1 and fact->>'code' = $2 and fact->>'kind' in ('referenceMoved', 'settingsSaved')
  and seq > (select max(seq) from journal where user_id = $1 and fact->>'kind' = 'orderIntended' and (fact->'order'->>'id')::bigint = $3)`
const FILLED = 'select filled_count as count from account_order where user_id = $1 and day = $2 and odno = $3'
const LOTS_SHARED = `select 1 from order_lot one join order_lot other using (user_id, lot_id)
  where one.user_id = $1 and one.order_id = $2 and other.order_id = $3 limit 1`
const COST =
  'select coalesce(sum(buy_amount), 0)::bigint as cost from trade where user_id = $1 and code = $2 and not closed'

/** What the database holds, committed, in this instant: never what a server believes. */
export class CommittedRows {
  readonly #stage: Stage
  readonly #orders = new CommittedQuery(`${ORDERS} order by id`, z.array(OrderRow))
  readonly #ordersOf = new CommittedQuery(`${ORDERS} and code = $2 order by id`, z.array(OrderRow))
  readonly #stops = new CommittedQuery(STOPS, Stops)
  readonly #accountStop = new CommittedQuery('select stop from account where user_id = $1', Stops)
  readonly #stocks = new CommittedQuery(
    `select code, stop, blocked->>'code' as block, shadow, settings from stock where user_id = $1`,
    z.array(StockRow).transform((rows) => new Map(rows.map((row) => [row.code, row]))),
  )
  readonly #lotsTwice = new CommittedQuery(LOTS_TWICE, z.tuple([z.object({ twice: z.number() })]))
  readonly #limits = new CommittedQuery(
    `select limits->'own' as own from account where user_id = $1`,
    z.array(z.object({ own: OwnLimits })),
  )
  readonly #referenceChanged = new CommittedQuery(REFERENCE_CHANGED, Found)
  readonly #filled = new CommittedQuery(FILLED, z.array(z.object({ count: z.coerce.number() })))
  readonly #lotsShared = new CommittedQuery(LOTS_SHARED, Found)
  readonly #cost = new CommittedQuery(COST, z.tuple([z.object({ cost: z.coerce.number() })]))

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** False while a session has a transaction open: then nobody can look from outside. */
  get readable(): boolean {
    return !this.#stage.database.inTransaction
  }

  orders(userId: string): readonly CommittedOrder[] {
    return this.#orders.ask(this.#stage, userId)
  }

  ordersOf(userId: string, code: string): readonly CommittedOrder[] {
    return this.#ordersOf.ask(this.#stage, userId, code)
  }

  /** The strictest stop in force for a stock: server's, account's, its own. */
  stopOf(userId: string, code: string): Stop {
    const stops = new Set(this.#stops.ask(this.#stage, userId, code).map(({ stop }) => stop))
    return stops.has('halt') ? 'halt' : stops.has('reduce') ? 'reduce' : 'active'
  }

  /** The stop of a stock, or with null of the account, alone; null: no such row. */
  ownStop(userId: string, code: string | null): Stop | null {
    if (code !== null) return this.#stock(userId, code)?.stop ?? null
    return this.#accountStop.ask(this.#stage, userId)[0]?.stop ?? null
  }

  /** Why a stock stands still until a person has looked; null: it does not. */
  blockOf(userId: string, code: string): string | null {
    return this.#stock(userId, code)?.block ?? null
  }

  /** Whether nothing of the stock may be sent. */
  isShadowed(userId: string, code: string): boolean {
    return this.#stock(userId, code)?.shadow === true
  }

  settings(userId: string, code: string): object | null {
    return this.#stock(userId, code)?.settings ?? null
  }

  /** All stocks are read at once: most looks are at many. */
  #stock(userId: string, code: string): StockRow | undefined {
    return this.#stocks.ask(this.#stage, userId).get(code)
  }

  /** The shares of an order's lots that another live order holds already. */
  lotsTwice(userId: string, orderId: number): number {
    return this.#lotsTwice.ask(this.#stage, userId, orderId)[0].twice
  }

  setting(userId: string, code: string): Bounds | null {
    const settings = this.settings(userId, code)
    return settings === null ? null : Bounds.parse(settings)
  }

  /** What the person chose. */
  limits(userId: string): z.output<typeof OwnLimits> {
    return this.#limits.ask(this.#stage, userId)[0]?.own ?? {}
  }

  /** Whether the price that the next buy is counted from was moved, or set by a person, after an order was made. */
  referenceChangedSince(userId: string, code: string, orderId: number): boolean {
    return this.#referenceChanged.ask(this.#stage, userId, code, orderId).length > 0
  }

  /** Shares booked of an order; null: the book does not have it. */
  filledCount(userId: string, day: string, odno: string): number | null {
    return this.#filled.ask(this.#stage, userId, day, odno)[0]?.count ?? null
  }

  /** Whether two orders are for the same lot. */
  lotsShared(userId: string, one: number, other: number): boolean {
    return this.#lotsShared.ask(this.#stage, userId, one, other).length > 0
  }

  costOf(userId: string, code: string): number {
    return this.#cost.ask(this.#stage, userId, code)[0].cost
  }
}
