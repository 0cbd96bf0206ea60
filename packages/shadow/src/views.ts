import type { RealStart as RealStartShown, Shadow, ShadowOrder, ShadowStock } from '@digger/contract'
import {
  effectiveStop,
  isLive,
  isShadowed,
  kstIso,
  liveOrders,
  remainAmount,
  remainCount,
  type Book,
  type Order,
  type RealStart,
  type Reason,
  type Stock,
} from '@digger/core'
import { ownStops } from './follow.ts'
import type { Shadows } from './shadows.ts'

type Rehearsals = Pick<Shadows, 'isEverything' | 'rule' | 'state' | 'hasFailed' | 'reasons' | 'realStart'>

interface Seen {
  /** A gateway has none, and carries none of these calls out itself. */
  readonly shadows: Rehearsals | undefined
  /** Won. */
  readonly priceOf: (code: string) => number | null
}

/** What people see of the rehearsal, stock by stock. `real`: the real account's book. */
export function shadowView(userId: string, real: Book, { shadows, priceOf }: Seen): Shadow {
  const { stocks, shadow } = real
  const everything = shadows?.isEverything ?? false
  return {
    everything,
    newStocks: shadow,
    rule: shadows?.rule ?? 'cautious',
    ...(shadows?.hasFailed(userId) === true && { failed: true }),
    stocks: [...stocks.values()].map((stock): ShadowStock => {
      const { code } = stock.issue
      const isIn = isShadowed(stock, { shadow: everything })
      return {
        code,
        name: stock.name,
        shadow: isIn,
        rehearsed: isIn && shadows !== undefined ? rehearsedOf(shadows, userId, code, priceOf(code)) : null,
      }
    }),
  }
}

/** What leaving the shadow would send for a stock, which is decided anew by the prices of now. `real`: the real account's book. */
export function realStartView(
  userId: string,
  code: string,
  { real, shadows }: { readonly real: Book; readonly shadows: Rehearsals | undefined },
): RealStartShown {
  const stock = real.stocks.get(code)
  const mayLeave = stock !== undefined && shadows?.isEverything === false && isShadowed(stock, { shadow: false })
  const { atOnce, atOpening } = mayLeave ? shadows.realStart(userId, code) : NOTHING
  return { atOnce: atOnce.map(orderView), atOpening: atOpening.map(orderView) }
}

type Rehearsed = NonNullable<ShadowStock['rehearsed']>

const NOTHING: RealStart = { atOnce: [], atOpening: [] }

const orderView = ({ side, count, price }: RealStart['atOnce'][number]): RealStartShown['atOnce'][number] => ({
  orderType: side === 'buy' ? 'BUY' : 'SELL',
  qty: count,
  price,
})

function rehearsedOf(
  shadows: Rehearsals,
  userId: string,
  code: string,
  price: number | null,
): ShadowStock['rehearsed'] {
  const book = shadows.state(userId)?.account.book
  const stock: Stock | undefined = book?.stocks.get(code)
  if (book === undefined || stock === undefined) return null
  const count = remainCount(stock.lots)
  const amount = remainAmount(stock.lots)
  return {
    remainCount: count,
    remainAmount: amount,
    openGain: price === null ? null : count * price - amount,
    realisedGain: stock.accGainAmount,
    orders: liveOrders(book, code).length,
    reasons: shadows.reasons(userId, code).map(reasonView),
    ...stoppedOf(book, stock),
  }
}

const reasonView = ({ at, ...reason }: Reason) => (at === undefined ? reason : { ...reason, at: kstIso(at) })

function stoppedOf(book: Book, { issue: { code }, stop: ofStock }: Stock): Pick<Rehearsed, 'stopped'> {
  const stop = effectiveStop('active', book.stop, ofStock)
  const reached = [...ownStops(book, null), ...ownStops(book, code)].map(({ text }) => text)
  return stop === 'active' ? {} : { stopped: { stop, reached } }
}

export const shadowOrderView = (order: Order, name: string): ShadowOrder => ({
  orderId: order.odno ?? String(order.id),
  code: order.code,
  name,
  orderType: order.side === 'buy' ? 'BUY' : 'SELL',
  orderDateTime: kstIso(order.createdAt),
  qty: order.count,
  price: order.price,
  exchangeCode: order.venue,
  live: isLive(order.status),
  filledQty: order.filledCount,
  filledAmount: order.filledAmount,
  auto: order.origin === 'auto',
  why: order.why,
  updatedAt: kstIso(order.updatedAt),
})
