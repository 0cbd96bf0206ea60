import { createHash } from 'node:crypto'
import type { TradeRow } from '@digger/database'
import { workLine } from '@digger/app'
import { orderMoney, type Book } from '../agreement/agreement.ts'
import type { ReplayResult } from './replay.ts'

interface Line {
  readonly name: string
  readonly buys: number
  readonly sells: number
  readonly openLots: number
  readonly openWon: number
  /** The realised gain before and after fees and tax, won. */
  readonly gross: number
  readonly net: number
  /** The most that lay in open lots at one time, won. */
  readonly most: number
}

/** The same trades give the same hash, whenever and wherever they were made. */
export function tradeHash({ trades, orders }: Book): string {
  const hash = createHash('sha256')
  for (const trade of trades) {
    const { user_id: _, ...rest } = trade
    hash.update(JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))))
  }
  for (const { id, code, side, price, count, status, created_at: at } of orders) {
    hash.update(JSON.stringify([id, code, side, price, count, status, at]))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Columns that depend on what else the account did, or on whose it is. */
const NUMBERS = new Set(['user_id', 'id', 'buy_order_id'])
/** When the book learned of a fill: a reading for another stock may bring it a second sooner or later. */
const TIMES = new Set(['bought_at', 'sold_at'])

/**
 * The same for what was bought and sold alone: an order that ended without a fill, and the numbers of those after it, are left
 * out. Where nobody tells before the evening that an order to both exchanges is over, none is made for the evening.
 */
export function fillHash({ trades, orders }: Book, withTimes = true): string {
  const leftOut = withTimes ? NUMBERS : new Set([...NUMBERS, ...TIMES])
  const filled = orders.filter((order) => order.filled_count > 0)
  const lines = [
    ...trades.map((trade) =>
      Object.entries(trade)
        .filter(([name]) => !leftOut.has(name))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    ...filled.map(({ code, side, price, filled_count, filled_amount, day }) => [
      code,
      side,
      price,
      filled_count,
      filled_amount,
      day,
    ]),
  ]
  return createHash('sha256').update(JSON.stringify(lines)).digest('hex').slice(0, 16)
}

/** What was wrong with a run: book and broker, and what should have traded and did not. */
export const faultsOf = ({ problems, stopped, missing }: ReplayResult): string[] => [
  ...problems,
  ...stopped.map((text) => `stands still at the end: ${text}`),
  ...missing.map((text) => `no order rests ten minutes after the open: ${text}`),
]

export function report(result: ReplayResult): string {
  const { book, names, days, ticks, ms, work } = result
  const faults = faultsOf(result)
  const codes = [...book.issues.keys()].sort()
  const rows = codes.map((code) => ({ code, ...lineOf(book, code, names.get(code) ?? code) }))
  const { bought, sold, cost } = orderMoney(book)
  const total = lineOf(book, null, 'total')
  return [
    ['code', 'name', 'buys', 'sells', 'open', 'open won', 'gross', 'net', 'most in'].join('\t'),
    ...[...rows, { code: '', ...total }].map((row) =>
      [row.code, row.name, row.buys, row.sells, row.openLots, row.openWon, row.gross, row.net, row.most].join('\t'),
    ),
    '',
    `${days} days, ${book.orders.length} orders; bought ${bought}, sold ${sold}, fees and tax ${cost} won`,
    `${ticks} prices in ${(ms / 1000).toFixed(1)} s: ${Math.round((ticks / ms) * 1000)}/s`,
    workLine(work),
    `trades ${tradeHash(book)}`,
    faults.length === 0
      ? 'book, broker and journal agree: every order and fill once, shares, cash to the won; every stock trades on'
      : `${faults.length} differences:\n${faults.map((text) => `  ${text}`).join('\n')}`,
  ].join('\n')
}

function lineOf({ orders, trades }: Book, code: string | null, name: string): Line {
  const mine = trades.filter((trade) => code === null || trade.code === code)
  const filled = orders.filter((order) => order.filled_count > 0 && (code === null || order.code === code))
  const open = mine.filter((trade) => !trade.closed)
  return {
    name,
    buys: filled.filter((order) => order.side === 'buy').length,
    sells: filled.filter((order) => order.side === 'sell').length,
    openLots: open.length,
    openWon: sum(open, (trade) => trade.buy_amount),
    gross: sum(mine, gained),
    net: sum(mine, (trade) => gained(trade) - costsOf(trade)),
    most: mostIn(mine),
  }
}

const gained = (trade: TradeRow): number => (trade.closed ? (trade.sell_amount ?? 0) - trade.buy_amount : 0)
const costsOf = (trade: TradeRow): number => (trade.fee ?? 0) + (trade.tax ?? 0)

function mostIn(trades: readonly TradeRow[]): number {
  const moves = trades.flatMap(({ bought_at, sold_at, buy_amount }) => [
    { at: bought_at, won: buy_amount },
    ...(sold_at === null ? [] : [{ at: sold_at, won: -buy_amount }]),
  ])
  let [now, most] = [0, 0]
  // At one instant what leaves goes first.
  for (const { won } of moves.sort((a, b) => a.at - b.at || a.won - b.won)) {
    now += won
    most = Math.max(most, now)
  }
  return most
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0)
