import { costs, isLive, kstDay, type Issue } from '@digger/core'
import type { Fact, SimHolding, SimOrder } from '@digger/kis-sim'
import type { OrderRow, TradeRow } from '@digger/database'

/** The rows of one user, from all tables. */
export interface Book {
  readonly orders: readonly OrderRow[]
  /** Open lots and closed trades. */
  readonly trades: readonly TradeRow[]
  readonly issues: ReadonlyMap<string, Issue>
}

/** What really happened at the broker, whatever its customer received. */
export interface Truth {
  readonly events: readonly Fact[]
  readonly orders: readonly SimOrder[]
  readonly holdings: readonly SimHolding[]
  /** Cash at the start and after everything has settled, won. */
  readonly cashBefore: number
  readonly cashAfter: number
}

/** An order's number is its own on its day only. */
export const keyOf = (day: string, odno: string | null): string => `${day}/${odno}`

/**
 * Holds one user's book against the broker: every order and every fill once, the same shares, and cash to the won.
 * Returns one line per difference. Corrections by hand (lots no order bought) are differences here, but for the stocks
 * `corrected`: their lots carry the broker's average instead of what their orders cost.
 */
export function disagreements(book: Book, truth: Truth, corrected: ReadonlySet<string> = new Set()): string[] {
  return [
    ...orderProblems(book, truth),
    ...fillProblems(book, truth),
    ...shareProblems(book, truth),
    ...lotProblems(book, corrected),
    ...cashProblems(book, truth),
  ]
}

/** Each row has at most one order at the broker, and each order there exactly one row. */
function orderProblems({ orders }: Book, truth: Truth): string[] {
  const problems: string[] = []
  const rows = Map.groupBy(
    orders.filter((row) => row.odno !== null),
    (row) => keyOf(row.day, row.odno),
  )
  const placed = truth.orders.filter((order) => order.change === null)
  const known = new Set(placed.map((order) => keyOf(order.day, order.odno)))
  for (const { day, odno, code, side, count } of placed) {
    const found = rows.get(keyOf(day, odno))?.length ?? 0
    if (found !== 1) problems.push(`broker order ${keyOf(day, odno)} (${side} ${count} of ${code}) has ${found} rows`)
  }
  for (const key of rows.keys())
    if (!known.has(key)) problems.push(`the book names an order ${key} the broker never had`)
  for (const { id, status, odno } of orders) {
    if (odno === null && (isLive(status) || status === 'filled'))
      problems.push(`order ${id} is ${status} without a number`)
  }
  return problems
}

/** Every true fill is booked, once. */
function fillProblems({ orders }: Book, { events }: Truth): string[] {
  const filled = new Map<string, { count: number; amount: number }>()
  for (const event of events) {
    if (event.kind !== 'filled') continue
    const sum = filled.get(keyOf(event.day, event.odno)) ?? { count: 0, amount: 0 }
    sum.count += event.count
    sum.amount += event.count * event.price
    filled.set(keyOf(event.day, event.odno), sum)
  }
  return orders.flatMap((row) => {
    const { count, amount } = filled.get(keyOf(row.day, row.odno)) ?? { count: 0, amount: 0 }
    if (row.filled_count === count && row.filled_amount === amount) return []
    return [`order ${row.id}: book ${row.filled_count} for ${row.filled_amount}, broker ${count} for ${amount}`]
  })
}

function shareProblems({ trades }: Book, { holdings }: Truth): string[] {
  const booked = new Map<string, number>()
  for (const { code, count, closed } of trades) if (!closed) booked.set(code, (booked.get(code) ?? 0) + count)
  const held = new Map(holdings.map(({ code, count }) => [code, count]))
  return [...new Set([...booked.keys(), ...held.keys()])].flatMap((code) => {
    const [ours, theirs] = [booked.get(code) ?? 0, held.get(code) ?? 0]
    return ours === theirs ? [] : [`${code}: book ${ours} shares, broker ${theirs}`]
  })
}

/** The amounts of all lots and orders agree with each other, in won. */
function lotProblems(book: Book, corrected: ReadonlySet<string>): string[] {
  const orders = book.orders.filter(({ code }) => !corrected.has(code))
  const trades = book.trades.filter(({ code }) => !corrected.has(code))
  const { bought, sold, cost } = orderMoney({ ...book, orders })
  const lots = lotMoney({ ...book, trades })
  const problems: string[] = []
  if (lots.bought !== bought) problems.push(`lots were bought for ${lots.bought}, orders say ${bought}`)
  if (lots.sold !== sold) problems.push(`lots were sold for ${lots.sold}, orders say ${sold}`)
  // The broker cuts fee and tax to a won per order, and the lots of an order share exactly that. Of what is left of a lot only
  // the fee cut to a won is known here; its real part may be a won more.
  if (lots.cost > cost || lots.cost < cost - lots.remainders) problems.push(`costs: lots ${lots.cost}, orders ${cost}`)
  return problems
}

/** What all orders cost and brought, and what companies paid, is what the broker's cash changed by, in won. */
function cashProblems(book: Book, { events, cashBefore, cashAfter }: Truth): string[] {
  const { bought, sold, cost } = orderMoney(book)
  const paid = events.reduce((sum, event) => sum + ('won' in event ? event.won : 0), 0)
  const expected = cashBefore - bought + sold - cost + paid
  return expected === cashAfter ? [] : [`cash: book ${expected}, broker ${cashAfter}`]
}

export interface Money {
  readonly bought: number
  readonly sold: number
  /** Fees and taxes. */
  readonly cost: number
}

/** The money of all orders, with costs as the broker takes them: per order. */
export function orderMoney({ orders, issues }: Book): Money {
  let [bought, sold, cost] = [0, 0, 0]
  for (const { code, side, day, filled_amount: amount } of orders) {
    const { market, kind } = issueOf(issues, code)
    const { fee, tax } = costs({ side, amount, market, kind, day })
    cost += fee + tax
    if (side === 'buy') bought += amount
    else sold += amount
  }
  return { bought, sold, cost }
}

/** The money of all lots, open and closed. */
function lotMoney({ trades, issues, orders }: Book): Money & { remainders: number } {
  let [bought, sold, cost] = [0, 0, 0]
  for (const trade of trades) {
    bought += trade.buy_amount
    sold += trade.sell_amount ?? 0
    cost += trade.closed ? (trade.fee ?? 0) + (trade.tax ?? 0) : openFee(trade, issues)
  }
  const isWhole = ({ code, buy_amount: amount, count }: TradeRow): boolean =>
    orders.some(
      (one) => one.code === code && one.side === 'buy' && one.filled_amount === amount && one.filled_count === count,
    )
  return { bought, sold, cost, remainders: trades.filter((trade) => !trade.closed && !isWhole(trade)).length }
}

function openFee({ code, buy_amount: amount, bought_at: at }: TradeRow, issues: Book['issues']): number {
  const { market, kind } = issueOf(issues, code)
  return costs({ side: 'buy', amount, market, kind, day: kstDay(at) }).fee
}

function issueOf(issues: Book['issues'], code: string): Issue {
  const issue = issues.get(code)
  if (issue === undefined) throw new Error(`the book has no stock ${code}`)
  return issue
}
