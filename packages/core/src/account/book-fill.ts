import { costs } from '../krx/cost.ts'
import { DAY_MS, kstDay, kstMidnight } from '../krx/kst.ts'
import { dayEnds } from '../krx/session.ts'
import { perShareDown, perShareUp } from '../ladder/per-share.ts'
import type { StepBuilder } from './step-builder.ts'
import { boughtBeforePart, costShare, shareOf } from './cost-share.ts'
import { isLive } from './order-status.ts'
import { isBesideLadder, moveReferenceAfterBuy, moveReferenceAfterSale } from './reference.ts'
import type { ClosedTrade, Execution, HeldLot, Order, Side, Stock } from './types.ts'

/** Books what a row has filled beyond what is booked. False: it contradicts the order, and the stock stops. */
export function bookFill(builder: StepBuilder, order: Order, row: Execution): boolean {
  const stock = builder.stock(order.code)
  if (stock === undefined || row.filledCount > order.count || row.filledAmount < order.filledAmount) {
    builder.block(order.code, 'ambiguous', `증권사의 체결 수량이 주문 ${order.id}와 맞지 않아 멈췄습니다.`)
    return false
  }
  if (!builder.assertMove(order, 'fill')) return false
  const count = row.filledCount - order.filledCount
  const amount = row.filledAmount - order.filledAmount
  builder.record({ kind: 'orderFilled', orderId: order.id, count: row.filledCount, amount: row.filledAmount })
  if (order.side === 'buy') {
    bookBuy(builder, stock, order, count, amount)
    const now = builder.book.orders.get(order.id)
    // `endOrder` moves the reference, from which the next buy is counted (`lastBuyPrice`). It has run already when a fill
    // overtook the cancel.
    if (now !== undefined && !isLive(now.status)) moveReferenceAfterBuy(builder, now)
    return true
  }
  return bookSale(builder, stock, order, count, amount)
}

function bookBuy(builder: StepBuilder, stock: Stock, order: Order, count: number, amount: number): void {
  const reserved = order.lots[0]?.lotId ?? builder.book.nextLotId
  const held = stock.lots.find((lot) => lot.id === reserved)
  // A late fill makes a lot of its own: the lot of the earlier ones may be on sale or sold by now.
  const late = order.filledCount > 0 && (held === undefined || held.buyOrderId === null)
  // Whose it is was decided with the first fill: the end of the order has moved the reference since.
  const byPerson = held === undefined ? isBesideLadder(builder, order) : held.byPerson === true
  const [before, id] = late ? [undefined, builder.book.nextLotId] : [held, reserved]
  return recordBuy(builder, order, { before, id, count, amount, byPerson })
}

/**
 * A day order can only have filled on its day: one found later filled by the end of that day's trading. The list has no time
 * of a fill.
 */
function filledAt({ ctx }: StepBuilder, { day }: Order): number {
  if (kstDay(ctx.now) <= day) return ctx.now
  return Math.min(dayEnds(day, ctx.timetable).all, kstMidnight(day) + DAY_MS - 1)
}

interface Bought {
  /** The lot so far, where the fill is of it. */
  readonly before: HeldLot | undefined
  readonly id: number
  readonly count: number
  readonly amount: number
  readonly byPerson: boolean
}

function recordBuy(builder: StepBuilder, order: Order, { before, id, count, amount, byPerson }: Bought): void {
  const shares = (before?.count ?? 0) + count
  const buyAmount = (before?.buyAmount ?? 0) + amount
  const lot: HeldLot = {
    id,
    count: shares,
    buyAmount,
    buyPrice: perShareUp(buyAmount, shares),
    boughtAt: before?.boughtAt ?? filledAt(builder, order),
    buyOrderId: isLive(order.status) ? order.id : null,
    heldBack: before?.heldBack ?? false,
    takenOver: before?.takenOver ?? false,
    ...(byPerson && { byPerson: true }),
  }
  builder.record({ kind: 'lotBought', code: order.code, lot })
}

/** Sells book the lots of the order in its listed order; a part-sold lot splits, its sold part closes. */
function bookSale(builder: StepBuilder, stock: Stock, order: Order, count: number, amount: number): boolean {
  let open = count
  let money = amount
  let soldBefore = order.filledAmount
  const sold: HeldLot[] = []
  for (const { lotId } of order.lots) {
    const lot = builder.stock(order.code)?.lots.find((one) => one.id === lotId)
    if (lot === undefined || open === 0) continue
    const shares = Math.min(open, lot.count)
    const sellAmount = shares === open ? money : shareOf(money, shares, open)
    sold.push(lot)
    recordSale(builder, stock, lot, shares, { sellAmount, soldBefore, soldAt: filledAt(builder, order) })
    open -= shares
    money -= sellAmount
    soldBefore += sellAmount
  }
  if (open > 0) {
    builder.block(
      order.code,
      'ambiguous',
      `주문 ${order.id}이 장부에 없는 ${open}주를 팔았습니다. 증권사 잔고를 확인해 주세요.`,
    )
    return false
  }
  moveReferenceAfterSale(builder, order.code, sold, perShareDown(amount, count))
  return true
}

export interface Sale {
  /** Won; null when no execution is known. */
  readonly sellAmount: number | null
  /** Won that the order had brought before: the broker cuts fee and tax of a whole order, not of each lot in it. */
  readonly soldBefore: number
  readonly soldAt: number
}

/** What is sold: a lot, or shares that were to come and did not. */
type Sold = Pick<HeldLot, 'id' | 'count' | 'buyPrice' | 'buyAmount' | 'boughtAt' | 'boughtBefore'>

export function recordSale(
  builder: StepBuilder,
  stock: Stock,
  lot: Sold,
  count: number,
  { sellAmount, soldBefore, soldAt }: Sale,
): void {
  const buyAmount = costShare(lot, count)
  const day = kstDay(soldAt)
  const boughtBefore = boughtBeforePart(lot, count)
  const bought = costsBetween(stock, 'buy', boughtBefore, boughtBefore + buyAmount, kstDay(lot.boughtAt))
  const sold = costsBetween(stock, 'sell', soldBefore, soldBefore + (sellAmount ?? 0), day)
  const trade: ClosedTrade = {
    id: count === lot.count ? lot.id : builder.book.nextLotId,
    code: stock.issue.code,
    count,
    buyPrice: lot.buyPrice,
    buyAmount,
    boughtAt: lot.boughtAt,
    sellPrice: sellAmount === null ? null : perShareDown(sellAmount, count),
    sellAmount,
    soldAt,
    day,
    fee: bought.fee + sold.fee,
    tax: bought.tax + sold.tax,
  }
  builder.record({ kind: 'lotSold', lotId: lot.id, trade })
}

/** What a deal that grows from one amount to another adds to its costs, won: the parts of a deal cost what the whole does. */
function costsBetween({ issue: { market, kind } }: Stock, side: Side, from: number, to: number, day: string) {
  const before = costs({ side, amount: from, market, kind, day })
  const after = costs({ side, amount: to, market, kind, day })
  return { fee: after.fee - before.fee, tax: after.tax - before.tax }
}
