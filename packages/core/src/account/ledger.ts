import { costs } from '../krx/cost.ts'
import { kstDay } from '../krx/kst.ts'
import { expired } from '../krx/route.ts'
import { perShareDown, perShareUp } from '../ladder/per-share.ts'
import { referenceAfterSale } from '../ladder/sell.ts'
import type { StepBuilder } from './step-builder.ts'
import { endOrder, moveReferenceAfterBuy, orderKey } from './end-order.ts'
import { costShare, shareOf } from './evolve.ts'
import { isLive, LISTING_LAG_MS } from './order-status.ts'
import { SEND_TIMEOUT_MS } from './ordering.ts'
import type { BrokerSnapshot } from './step-types.ts'
import { noteStrangers } from './strangers.ts'
import { isAbsent, settleUnknown } from './unknown.ts'
import { forgetUnlisted, noteUnlisted } from './unlisted.ts'
import type { ClosedTrade, Execution, HeldLot, Order, Stock } from './types.ts'

/** While a noticed fill is missing from the list, it is read again after this, ms (the lag was measured: 1.1–5.3 s). */
const READ_AGAIN_MS = 2_000
/** A cancel the broker took but the list does not show for this long is asked again, ms. */
const CANCEL_TIMEOUT_MS = LISTING_LAG_MS

/**
 * Books what the broker's list of orders shows. Totals are compared with totals, so reading the same list twice, late or
 * out of turn books nothing twice. The only place where shares enter or leave the book by trading.
 */
export function applyExecutions(builder: StepBuilder, snapshot: BrokerSnapshot): void {
  const own = snapshot.executions.filter((row) => row.originalOdno === null)
  settleUnknown(builder, own, snapshot)
  const rows = new Map(own.map((row) => [orderKey(row.day, row.odno), row]))
  for (const { id } of builder.book.orders.values()) {
    const order = builder.book.orders.get(id)
    if (order?.odno == null) continue
    const row = rows.get(orderKey(order.day, order.odno))
    if (row !== undefined) {
      forgetUnlisted(builder, order.id)
      applyRow(builder, order, row, snapshot.askedAt)
    } else if (isLive(order.status)) applyAbsence(builder, order, snapshot)
  }
  noteStrangers(builder, own, snapshot.askedAt)
  forgetNoticedFills(builder, snapshot.askedAt)
}

function applyRow(builder: StepBuilder, order: Order, row: Execution, askedAt: number): void {
  if (row.filledCount > order.filledCount && !bookFill(builder, order, row)) return
  const now = builder.book.orders.get(order.id) ?? order
  if (!isLive(now.status)) return
  const end = endOf(now, row)
  if (end !== null) return endOrder(builder, now, end, end === 'rejected' ? '증권사 또는 거래소가 거절했습니다.' : null)
  if (isExpired(builder, now, askedAt)) return endOrder(builder, now, 'expired', '장이 끝나 소멸했습니다.')
  // One that still waits in our own queue would only be asked twice. A call that never reports holds nothing for ever.
  const isOut = builder.view.orders.cancelsOut.has(now.id) && askedAt < now.updatedAt + SEND_TIMEOUT_MS
  if (now.status === 'cancelling' && !isOut && askedAt >= now.updatedAt + CANCEL_TIMEOUT_MS) {
    builder.record({ kind: 'cancelRefused', orderId: now.id, note: '취소가 아직 되지 않아 다시 시도합니다.' })
  }
}

/**
 * An accepted order that no list shows: while it may still trade it is only noted as missing; after its session it is
 * over.
 */
function applyAbsence(builder: StepBuilder, order: Order, snapshot: BrokerSnapshot): void {
  if (!isExpired(builder, order, snapshot.askedAt)) return noteUnlisted(builder, order, snapshot)
  if (isAbsent(builder, order, snapshot))
    endOrder(builder, order, 'expired', '증권사 기록에 없고 장이 끝나 소멸한 것으로 봅니다.')
}

const isExpired = (builder: StepBuilder, { venue, session, day }: Order, at: number): boolean =>
  expired(venue, session, day, at, builder.ctx.timetable)

function endOf(order: Order, row: Execution): 'filled' | 'rejected' | 'cancelled' | null {
  if (row.filledCount >= order.count) return 'filled'
  if (row.rejectedCount > 0 && row.filledCount === 0) return 'rejected'
  // `cancelled` first: a cancelled order was seen still listed with a remainder.
  return row.cancelled || row.remainingCount <= 0 ? 'cancelled' : null
}

function bookFill(builder: StepBuilder, order: Order, row: Execution): boolean {
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
  return recordBuy(builder, order, late ? undefined : held, late ? builder.book.nextLotId : reserved, count, amount)
}

function recordBuy(
  builder: StepBuilder,
  order: Order,
  held: HeldLot | undefined,
  id: number,
  count: number,
  amount: number,
): void {
  const shares = (held?.count ?? 0) + count
  const buyAmount = (held?.buyAmount ?? 0) + amount
  const lot: HeldLot = {
    id,
    count: shares,
    buyAmount,
    buyPrice: perShareUp(buyAmount, shares),
    boughtAt: held?.boughtAt ?? builder.ctx.now,
    buyOrderId: isLive(order.status) ? order.id : null,
    heldBack: held?.heldBack ?? false,
  }
  builder.record({ kind: 'lotBought', code: order.code, lot })
}

/** Sells book the lots of the order in its listed order; a part-sold lot splits, its sold part closes. */
function bookSale(builder: StepBuilder, stock: Stock, order: Order, count: number, amount: number): boolean {
  let open = count
  let money = amount
  for (const { lotId } of order.lots) {
    const lot = builder.stock(order.code)?.lots.find((one) => one.id === lotId)
    if (lot === undefined || open === 0) continue
    const shares = Math.min(open, lot.count)
    const sellAmount = shares === open ? money : shareOf(money, shares, open)
    recordSale(builder, stock, lot, shares, sellAmount)
    open -= shares
    money -= sellAmount
  }
  if (open > 0) {
    builder.block(
      order.code,
      'ambiguous',
      `주문 ${order.id}이 장부에 없는 ${open}주를 팔았습니다. 증권사 잔고를 확인해 주세요.`,
    )
    return false
  }
  const now = builder.stock(order.code)
  if (now?.settings.recoverLastBuyPrice === true) {
    const price = referenceAfterSale(now.lots, now.settings, perShareDown(amount, count))
    builder.record({ kind: 'referenceMoved', code: order.code, price, why: '매도 뒤 기준가 되돌림' })
  }
  return true
}

export function recordSale(
  builder: StepBuilder,
  stock: Stock,
  lot: HeldLot,
  count: number,
  sellAmount: number | null,
): void {
  const buyAmount = costShare(lot, count)
  const day = kstDay(builder.ctx.now)
  const trade: ClosedTrade = {
    id: count === lot.count ? lot.id : builder.book.nextLotId,
    code: stock.issue.code,
    count,
    buyPrice: lot.buyPrice,
    buyAmount,
    boughtAt: lot.boughtAt,
    sellPrice: sellAmount === null ? null : perShareDown(sellAmount, count),
    sellAmount,
    soldAt: builder.ctx.now,
    day,
    ...tradeCosts(stock, buyAmount, kstDay(lot.boughtAt), sellAmount, day),
  }
  builder.record({ kind: 'lotSold', lotId: lot.id, trade })
}

function tradeCosts(
  stock: Stock,
  buyAmount: number,
  buyDay: string,
  sellAmount: number | null,
  sellDay: string,
): { fee: number; tax: number } {
  const { market, kind } = stock.issue
  const buy = costs({ side: 'buy', amount: buyAmount, market, kind, day: buyDay })
  const sell = costs({ side: 'sell', amount: sellAmount ?? 0, market, kind, day: sellDay })
  return { fee: buy.fee + sell.fee, tax: buy.tax + sell.tax }
}

/**
 * Notices are only hints: one that the list has caught up with is forgotten, else we ask again soon. Those of other
 * programs' orders, and repeated ones, never show in the list: past the listing lag all are forgotten.
 */
function forgetNoticedFills(builder: StepBuilder, askedAt: number): void {
  if (builder.view.orders.noticedFills.size === 0) return
  const known = new Map([...builder.book.orders.values()].map((order) => [order.odno, order.filledCount]))
  const open = [...builder.view.orders.noticedFills].filter(([odno, count]) => (known.get(odno) ?? 0) < count)
  const over = askedAt >= builder.view.orders.noticedAt + LISTING_LAG_MS
  builder.patchView({ orders: { noticedFills: new Map(over ? [] : open) } })
  if (open.length > 0 && !over) builder.readBy(builder.ctx.now + READ_AGAIN_MS)
}
