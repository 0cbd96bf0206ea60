import { isLive, type Book, type ClosedTrade, type Fact, type HeldLot, type Order, type Stock } from '@digger/core'
import type {
  TradeRow,
  AccountRow,
  CommandKeyRow,
  DecisionRow,
  JournalRow,
  OrderLotRow,
  OrderRow,
  StockRow,
} from '@digger/database'

/** Everything one step changes in the tables. Rows are whole, so writing them twice is harmless. */
export interface Changes {
  readonly account: AccountRow
  readonly journal: readonly JournalRow[]
  /** One, or none where the facts come from no decision: the first day of an account. */
  readonly decisions: readonly DecisionRow[]
  readonly stocks: readonly StockRow[]
  readonly removedStocks: readonly { user_id: string; code: string }[]
  readonly trades: readonly TradeRow[]
  readonly orders: readonly OrderRow[]
  readonly orderLots: readonly OrderLotRow[]
  /** What of it people asked under a key. */
  readonly commandKeys: readonly CommandKeyRow[]
  /** Keys of the account from before then are forgotten. */
  readonly expiredKeys: readonly { user_id: string; before: number }[]
}

/** Where an account stands in the tables. */
export interface Position {
  /** Of the newest journal row. */
  readonly seq: number
  /** Of the owner who may write it. */
  readonly epoch: number
}

/**
 * The rows behind some facts, read from the book they led to. `position` is that before them; `input` is what the decision
 * looked at, as text.
 */
export function changesOf(
  userId: string,
  { seq, epoch }: Position,
  facts: readonly Fact[],
  book: Book,
  input: string | null = null,
): Changes {
  const touched = touchedBy(facts, book)
  const orders = [...touched.orders].flatMap((id) => book.orders.get(id) ?? [])
  const stocks = [...touched.stocks].flatMap((code) => book.stocks.get(code) ?? [])
  return {
    account: {
      user_id: userId,
      day: book.day,
      stop: book.stop,
      next_order_id: book.nextOrderId,
      next_lot_id: book.nextLotId,
      seq: seq + facts.length,
      limits: book.limits,
      venues: book.venues,
      other_server: book.otherServer,
      shadow: book.shadow,
      epoch,
    },
    journal: facts.map((fact, index) => ({ user_id: userId, seq: seq + 1 + index, at: fact.at, fact })),
    decisions: decisionRows(userId, seq, facts, input),
    stocks: stocks.map((stock) => stockRow(userId, stock)),
    removedStocks: facts.flatMap((fact) =>
      fact.kind === 'stockRemoved' && !book.stocks.has(fact.code) ? [{ user_id: userId, code: fact.code }] : [],
    ),
    trades: tradeRows(userId, facts, stocks, touched.lots),
    // Ends before beginnings: the unique indexes are checked row by row.
    orders: orders
      .map((order) => orderRow(userId, order))
      .sort((a, b) => Number(a.live) - Number(b.live) || a.id - b.id),
    orderLots: orders
      .flatMap((order) => orderLotRows(userId, order))
      .sort((a, b) => Number(a.live) - Number(b.live) || a.order_id - b.order_id),
    commandKeys: [],
    expiredKeys: [],
  }
}

function decisionRows(userId: string, seq: number, facts: readonly Fact[], input: string | null): DecisionRow[] {
  const [first] = facts
  if (first === undefined || input === null) return []
  return [{ user_id: userId, seq: seq + 1, facts: facts.length, at: first.at, input }]
}

/** Facts that change open lots without naming each. */
const CHANGES_ALL_LOTS: ReadonlySet<Fact['kind']> = new Set([
  'lotsHeldBack',
  'lotsReleased',
  'settingsSaved',
  'dayOpened',
  'stockAdjusted',
  'expectedGivenUp',
])

function touchedBy(facts: readonly Fact[], book: Book) {
  const stocks = new Set<string>()
  const orders = new Set<number>()
  const lots = new Set<number>()
  for (const fact of facts) {
    if ('code' in fact) stocks.add(fact.code)
    if ('orderId' in fact) orders.add(fact.orderId)
    if (fact.kind === 'orderIntended') orders.add(fact.order.id)
    if (fact.kind === 'lotBought') lots.add(fact.lot.id)
    if (fact.kind === 'lotSold') {
      stocks.add(fact.trade.code)
      lots.add(fact.lotId)
    }
    if (fact.kind === 'lotSplit') lots.add(fact.lotId).add(fact.newLotId)
    if (fact.kind === 'dayOpened') for (const code of book.stocks.keys()) stocks.add(code)
  }
  for (const id of orders) {
    const order = book.orders.get(id)
    if (order === undefined) continue
    stocks.add(order.code)
    // The end of a buy frees its lot.
    for (const { lotId } of order.lots) lots.add(lotId)
  }
  if (facts.some(({ kind }) => CHANGES_ALL_LOTS.has(kind)))
    for (const code of stocks) for (const lot of book.stocks.get(code)?.lots ?? []) lots.add(lot.id)
  return { stocks, orders, lots }
}

export const stockRow = (userId: string, stock: Stock): StockRow => ({
  user_id: userId,
  code: stock.issue.code,
  name: stock.name,
  market: stock.issue.market,
  kind: stock.issue.kind,
  nxt: stock.issue.nxt,
  settings: stock.settings,
  stop: stock.stop,
  blocked: stock.blocked,
  kept: stock.kept,
  shadow: stock.shadow,
  frozen: stock.frozen,
  settled_on: stock.settledOn,
  moves: stock.moves,
  expected: stock.expected,
  price_subscribed: stock.priceSubscribed,
  acc_gain_amount: stock.accGainAmount,
  rejects: stock.rejects,
  version: stock.version,
  updated_at: stock.updatedAt,
  checked_at: stock.checkedAt,
})

function tradeRows(
  userId: string,
  facts: readonly Fact[],
  stocks: readonly Stock[],
  lots: ReadonlySet<number>,
): TradeRow[] {
  const rows = new Map<number, TradeRow>()
  for (const stock of stocks) {
    for (const lot of stock.lots) if (lots.has(lot.id)) rows.set(lot.id, openRow(userId, stock.issue.code, lot))
  }
  for (const fact of facts) if (fact.kind === 'lotSold') rows.set(fact.trade.id, closedRow(userId, fact.trade))
  return [...rows.values()]
}

export const openRow = (userId: string, code: string, lot: HeldLot): TradeRow => ({
  user_id: userId,
  id: lot.id,
  code,
  count: lot.count,
  buy_price: lot.buyPrice,
  buy_amount: lot.buyAmount,
  bought_at: lot.boughtAt,
  buy_order_id: lot.buyOrderId,
  held_back: lot.heldBack,
  taken_over: lot.takenOver,
  by_person: lot.byPerson === true,
  bought_before: lot.boughtBefore ?? 0,
  closed: false,
  sell_price: null,
  sell_amount: null,
  sold_at: null,
  sell_day: null,
  fee: null,
  tax: null,
})

export const closedRow = (userId: string, trade: ClosedTrade): TradeRow => ({
  user_id: userId,
  id: trade.id,
  code: trade.code,
  count: trade.count,
  buy_price: trade.buyPrice,
  buy_amount: trade.buyAmount,
  bought_at: trade.boughtAt,
  buy_order_id: null,
  held_back: false,
  taken_over: false,
  by_person: false,
  bought_before: 0,
  closed: true,
  sell_price: trade.sellPrice,
  sell_amount: trade.sellAmount,
  sold_at: trade.soldAt,
  sell_day: trade.day,
  fee: trade.fee,
  tax: trade.tax,
})

export const orderRow = (userId: string, order: Order): OrderRow => ({
  user_id: userId,
  id: order.id,
  code: order.code,
  side: order.side,
  origin: order.origin,
  type: order.type,
  price: order.price,
  count: order.count,
  venue: order.venue,
  session: order.session,
  status: order.status,
  live: isLive(order.status),
  day: order.day,
  odno: order.odno,
  orgno: order.orgno,
  filled_count: order.filledCount,
  filled_amount: order.filledAmount,
  reserved_price: order.reservedPrice,
  created_at: order.createdAt,
  updated_at: order.updatedAt,
  why: order.why,
  note: order.note,
  absent_from: order.absentFrom,
  cancel_asked: order.cancelAsked,
  cancel_wanted: order.cancelWanted,
})

export const orderLotRows = (userId: string, order: Order): OrderLotRow[] =>
  order.lots.map(({ lotId, count }, position) => ({
    user_id: userId,
    order_id: order.id,
    position,
    lot_id: lotId,
    count,
    live: isLive(order.status),
  }))
