import { lotTarget } from '../ladder/sell.ts'
import { fallingBuys } from '../ladder/worst.ts'
import { heldAmount } from './expected-shares.ts'
import { effectiveStop } from './gate.ts'
import { maxSharesOf } from './limits/first-days.ts'
import type { LimitState } from './limits/types.ts'
import { liveBuyAmount } from './limits/use.ts'
import { liveOrders } from './step-builder.ts'
import { isShadowed } from './refuse-shadowed.ts'
import type { Book, Order, Side, Stock, Stop } from './types.ts'
import { targetOf } from './limits/refuse.ts'

/** The nearest order of one side that a stock waits with. */
export interface NextOrder {
  readonly code: string
  readonly side: Side
  /** Won. */
  readonly price: number
  readonly count: number
  /** It rests at the broker, or is on its way there. */
  readonly isOut: boolean
}

/**
 * The nearest buy and the nearest sale of each stock, of those that leave by themselves or have left already. Of a stock that is only
 * rehearsed, as each is with `shadow`, only what has left.
 */
export function nextOrders(book: Book, serverStop: Stop, server: { readonly shadow?: boolean } = {}): NextOrder[] {
  return [...book.stocks.values()].flatMap((stock) => {
    const live = liveOrders(book, stock.issue.code)
    const stop = effectiveStop(serverStop, book.stop, stock.stop)
    const isHeldUp = stock.frozen !== null || book.otherServer.suspected !== null || isShadowed(stock, server)
    return [
      outOf(live, 'buy') ?? (stop === 'active' && !isHeldUp ? nextBuy(stock, live, book.limits) : null),
      outOf(live, 'sell') ?? (stop !== 'halt' && !isHeldUp ? nextSale(stock, live) : null),
    ].filter((order) => order !== null)
  })
}

/** The order that fills first: the highest buy, the lowest sale. One without a price fills by itself. */
function outOf(live: readonly Order[], side: Side): NextOrder | null {
  const priced = live.filter((order) => order.side === side && order.price > 0)
  if (priced.length === 0) return null
  const price = (side === 'buy' ? Math.max : Math.min)(...priced.map((order) => order.price))
  const at = priced.filter((order) => order.price === price)
  const count = at.reduce((sum, order) => sum + order.count - order.filledCount, 0)
  return { code: at[0]?.code ?? '', side, price, count, isOut: true }
}

function nextBuy(
  { issue, settings, nextBuyPrice, blocked, ...stock }: Stock,
  live: readonly Order[],
  limits: LimitState,
): NextOrder | null {
  if (nextBuyPrice === null || blocked !== null) return null
  const spent = heldAmount(stock) + liveBuyAmount(live)
  const [first] = fallingBuys(settings, issue.kind, { spent })
  // Where the cap or the unit pays for no share at its price, it waits for nothing that is near.
  if (first === undefined || first.price < nextBuyPrice) return null
  const count = Math.min(first.count, maxSharesOf(limits).maxShares ?? first.count)
  return { code: issue.code, side: 'buy', ...first, count, isOut: false }
}

/** Of lots that nothing offers yet, as where their price is above the day's limit. */
function nextSale({ issue, settings, lots, blocked }: Stock, live: readonly Order[]): NextOrder | null {
  const isTaken = (lotId: number): boolean => live.some((order) => order.lots.some((lot) => lot.lotId === lotId))
  const free = lots.filter((lot) => !lot.takenOver && !lot.heldBack && lot.buyOrderId === null && !isTaken(lot.id))
  const isStopped = blocked !== null && blocked.buysOnly !== true && (blocked.code !== 'mismatch' || blocked.short)
  if (!settings.autoSell || isStopped || free.length === 0) return null
  const targets = free.map((lot) => lotTarget(lot.buyPrice, settings, issue.kind))
  const price = settings.autoSellWithAvgPrice ? (targetOf({ issue, settings }, free) ?? 0) : Math.min(...targets)
  const sold = settings.autoSellWithAvgPrice ? free : free.filter((_, index) => targets[index] === price)
  const count = sold.reduce((sum, lot) => sum + lot.count, 0)
  return { code: issue.code, side: 'sell', price, count, isOut: false }
}
