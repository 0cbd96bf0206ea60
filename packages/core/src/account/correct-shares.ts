import { remainCount } from '../ladder/buy.ts'
import { perShareDown } from '../ladder/per-share.ts'
import { recordSale } from './book-fill.ts'
import { liveOrders, orderOfLot, type StepBuilder } from './step-builder.ts'
import { SETTLE_FIRST } from './frozen.ts'
import { noteAgreement, isUnsettled } from './compare.ts'
import { addLot, receiveExpected, sharesToCome } from './expected-shares.ts'
import { oversold } from './oversold.ts'
import { orderKey } from './end-order.ts'
import { hasNoVerdict } from './order-status.ts'
import { costsMore, noteCorrected } from './restored-stock.ts'
import { isExplained, newStrangerShares } from './strangers.ts'
import type { BrokerSnapshot } from './step-types.ts'
import type { Execution, Holding, Stock } from './types.ts'

export interface ToCorrect {
  /** The difference was seen by an earlier reading, too. */
  readonly confirmed: boolean
  /** A person asked for this stock and no other. */
  readonly alone: boolean
}

/**
 * Appends corrections until the book of one stock has the broker's shares: surplus becomes a lot at the broker's
 * average, missing shares close lots newest first. Never an order, never a delete. Returns why it cannot, or null.
 */
export function correctShares(
  builder: StepBuilder,
  stock: Stock,
  snapshot: BrokerSnapshot,
  { confirmed, alone }: ToCorrect,
): string | null {
  const { code } = stock.issue
  if (stock.frozen !== null) return SETTLE_FIRST
  const live = liveOrders(builder.book, code)
  if (live.some((order) => hasNoVerdict(order.status))) {
    return '결과를 모르는 주문이 있어 맞출 수 없습니다. 잠시 뒤 다시 해 주세요.'
  }
  // The balance lags fills: what looks like a difference may be our own trade of a moment ago, what looks like none
  // somebody else's.
  if (isUnsettled(builder, code, snapshot.askedAt)) {
    return '방금 체결된 주문이 잔고에 아직 반영되지 않았을 수 있습니다. 10초 뒤 다시 해 주세요.'
  }
  const holding = snapshot.balance?.holdings.find((one) => one.code === code)
  const book = remainCount(stock.lots)
  const gap = (holding?.count ?? 0) - stock.kept - book
  if (!alone && gap === 0 && stock.blocked?.untilCorrected === true && costsMore(stock, holding))
    return '증권사의 평균 단가가 장부보다 높아, 백업 뒤에 팔고 더 비싸게 다시 샀을 수 있습니다. 확인하고 이 종목만 따로 맞춰 주세요.'
  // Balance and list each lag on their own, and a reading may be faulty: only what was seen twice is corrected.
  if (gap !== 0 && !confirmed) return '증권사 잔고가 장부와 달라 한 번 더 확인하고 있습니다. 15초 뒤 다시 해 주세요.'
  if (gap > 0 && holding !== undefined) {
    const problem = takeOver(builder, stock, holding, gap)
    if (problem !== null) return problem
  }
  if (-gap > book) return '증권사 잔고가 직접 관리하는 수량보다 적습니다. 그 수량을 먼저 고쳐 주세요.'
  if (gap < 0) {
    if (stock.kept > 0 && !alone)
      return '직접 관리하는 주식이 있어, 누구의 주식이 줄었는지 알 수 없습니다. 직접 관리하는 수량을 고치거나 이 종목만 따로 맞춰 주세요.'
    const free = stock.lots.filter((lot) => orderOfLot(live, lot.id) === undefined)
    const closable = remainCount(free)
    if (closable < -gap) return '미체결 매도 주문에 묶인 주식이 있습니다. 먼저 주문을 취소한 뒤 다시 해 주세요.'
    const newestFirst = free.sort((a, b) => b.boughtAt - a.boughtAt || b.id - a.id).map((lot) => lot.id)
    // Shares that became the person's were not sold: only a sale of just so many that the list shows tells of a price.
    const isSale = stock.kept === 0 || isExplained(builder.view, code, gap)
    closeLots(builder, stock, newestFirst, -gap, isSale ? outsidePrice(builder, code, snapshot, -gap) : null)
  }
  noteCorrected(builder, code)
  noteAgreement(builder, stock)
  return null
}

/**
 * Whatever a correction brings waits for the person. What new shares of a corporate action cost the book knows itself; those
 * that the list shows somebody to have bought are none.
 */
function takeOver(builder: StepBuilder, stock: Stock, holding: Holding, gap: number): string | null {
  const bought = Math.max(0, newStrangerShares(builder.view, stock.issue.code))
  const expected = Math.min(Math.max(0, gap - bought), sharesToCome(stock.expected))
  const more = gap - expected
  const price = priceOf(builder, holding)
  if (more > 0 && price === null) return '평균 매수가도 현재가도 알 수 없습니다. 장이 열린 뒤 다시 해 주세요.'
  receiveExpected(builder, stock, expected, true)
  // Somebody bought them elsewhere.
  if (more > 0) addLot(builder, stock, more, (price ?? 0) * more, { takenOver: true, byPerson: true })
  return null
}

/**
 * What shares cost that nobody bought here, won: the broker's average. Gifts, and new shares whose old ones are all sold, it may
 * show at nothing: then the price of now, at which the gain begins.
 */
function priceOf({ ctx }: StepBuilder, { code, averagePrice }: Holding): number | null {
  return averagePrice > 0 ? averagePrice : (ctx.quote(code)?.price ?? null)
}

function closeLots(
  builder: StepBuilder,
  stock: Stock,
  lotIds: readonly number[],
  missing: number,
  price: number | null,
): void {
  let open = missing
  for (const lotId of lotIds) {
    const lot = builder.stock(stock.issue.code)?.lots.find((one) => one.id === lotId)
    if (lot === undefined || open === 0) continue
    const count = Math.min(open, lot.count)
    const sellAmount = price === null ? null : price * count
    recordSale(builder, stock, lot, count, { sellAmount, soldBefore: 0, soldAt: builder.ctx.now })
    open -= count
  }
}

/**
 * Average price of sales of this stock that are in no lot: no order of ours made them, or two of ours
 * were made for one lot; null when there are none. Of earlier days the book has forgotten its own orders, and who has corrected
 * what: those sales count only where all there were are just what is missing.
 */
function outsidePrice(
  builder: StepBuilder,
  code: string,
  { executions }: BrokerSnapshot,
  missing: number,
): number | null {
  const ours = new Set([...builder.book.orders.values()].map((order) => orderKey(order.day, order.odno ?? '')))
  const all = executions.filter(
    (row) => row.code === code && row.side === 'sell' && row.filledCount > 0 && !ours.has(orderKey(row.day, row.odno)),
  )
  const ownBeyond = oversold(builder.book, code)
  const countOf = (sales: readonly Execution[]): number =>
    sales.reduce((sum, row) => sum + row.filledCount, ownBeyond.count)
  const sales = countOf(all) === missing ? all : all.filter(({ day }) => day === builder.book.day)
  const count = countOf(sales)
  const amount = sales.reduce((sum, row) => sum + row.filledAmount, ownBeyond.amount)
  return count === 0 ? null : perShareDown(amount, count)
}
