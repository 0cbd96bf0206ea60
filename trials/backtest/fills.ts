import { createHash } from 'node:crypto'
import { type BarOrder, type Bars, type Settings, backtest } from '@digger/core'
import type { Book } from '../agreement/agreement.ts'

/** What was bought and sold of one stock, by day, and what it came to. */
export interface Fills {
  /** `day side price count`, sorted: within a day nobody has to agree on the second. */
  readonly lines: readonly string[]
  readonly hash: string
  /** Realised before and after the costs of both sides, won. */
  readonly gross: number
  readonly net: number
  readonly lots: number
  readonly shares: number
  /** What the open lots cost, won. */
  readonly cost: number
}

type Line = readonly [day: string, side: 'buy' | 'sell', price: number, count: number]

function hashed(lines: readonly Line[]): Pick<Fills, 'lines' | 'hash'> {
  const sorted = lines.map((line) => line.join(' ')).sort()
  return { lines: sorted, hash: createHash('sha256').update(sorted.join('\n')).digest('hex').slice(0, 16) }
}

/** Of a book that only the ladder has traded. */
export function liveFills({ orders, trades }: Book, code: string): Fills {
  const lines = orders
    .filter((order) => order.code === code && order.filled_count > 0)
    .map((order): Line => [order.day, order.side, order.filled_amount / order.filled_count, order.filled_count])
  const mine = trades.filter((trade) => trade.code === code)
  const [open, closed] = [mine.filter((trade) => !trade.closed), mine.filter((trade) => trade.closed)]
  const gross = sum(closed.map((trade) => (trade.sell_amount ?? 0) - trade.buy_amount))
  return {
    ...hashed(lines),
    gross,
    net: gross - sum(closed.map(({ fee, tax }) => (fee ?? 0) + (tax ?? 0))),
    lots: open.length,
    shares: sum(open.map(({ count }) => count)),
    cost: sum(open.map(({ buy_amount: won }) => won)),
  }
}

export function testedFills(bars: Bars, settings: Settings, order: BarOrder): Fills {
  const lines: Line[] = []
  const add = (bar: number, side: 'buy' | 'sell', price: number, count: number): void =>
    void lines.push([bars.days[bars.day[bar] ?? 0] ?? '', side, price, count])
  const result = backtest(bars, settings, order, {
    trades: {
      bought: (bar, price, count) => add(bar, 'buy', price, count),
      sold: (bar, price, count) => add(bar, 'sell', price, count),
    },
  })
  const { gross, net, lots, shares, cost } = result
  return { ...hashed(lines), gross, net, lots, shares, cost }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
