import { ceilToTick } from '../krx/tick.ts'
import { route } from '../krx/route.ts'
import { averageTarget, lotTarget, sliceSell } from '../ladder/sell.ts'
import { remainCount } from '../ladder/buy.ts'
import type { ReasonCode } from '../ladder/reason-codes.ts'
import { refused } from './command-result.ts'
import { liveOrders, orderOfLot, type StepBuilder } from './step-builder.ts'
import { gate, GATE, type Proposal } from './gate.ts'
import { personAmountText, saleValue } from './limits/refuse.ts'
import { askCancel, place } from './ordering.ts'
import { PENDING_SALE_MS } from './rearm.ts'
import type { CommandResult } from './step-types.ts'
import type { HeldLot, OrderType, Reason, Stock } from './types.ts'
import type { PendingSale } from './view.ts'

/** More orders than this at once would only wait for each other. */
export const MAX_SLICES = 20

export const hasPendingSale = (builder: StepBuilder, lotId: number): boolean =>
  builder.view.orders.pendingSales.some((pending) => pending.lotIds.includes(lotId))

/** Null: the result comes later. A sale that could not go out anyway is refused before an older order is cancelled for it. */
export function addPendingSale(
  builder: StepBuilder,
  stock: Stock,
  made: Omit<PendingSale, 'until'>,
): CommandResult | null {
  const pending = { ...made, until: builder.ctx.now + PENDING_SALE_MS }
  const refusal = precheck(builder, stock, pending)
  if (refusal !== null) return refusal
  builder.patchView({ orders: { pendingSales: [...builder.view.orders.pendingSales, pending] } })
  return null
}

/** A person who cancels everything means the sales that still wait, too. Null: of all stocks. */
export function dropPendingSales(builder: StepBuilder, code: string | null): void {
  const dropped = builder.view.orders.pendingSales.filter((pending) => code === null || pending.code === code)
  if (dropped.length === 0) return
  builder.patchView({
    orders: { pendingSales: builder.view.orders.pendingSales.filter((pending) => !dropped.includes(pending)) },
  })
  const result = refused('CONFLICT', '주문을 모두 취소해 달라는 요청이 있어 팔지 않았습니다.')
  for (const { ticket } of dropped) builder.effect({ kind: 'commandResult', ticket, result })
}

/** Checks that fail because of older orders of the same lots, and pass once those are cancelled. */
const PASSED_ONCE_CANCELLED = new Set<ReasonCode>(['unknown', 'oneOrderPerLot'])
/** The gate judges each order alone; the precheck judges all orders of the sale as one. */
const JUDGED_AS_ONE = 'personOrderAmount'
const PRECHECKS = GATE.filter((check) => !PASSED_ONCE_CANCELLED.has(check.name) && check.name !== JUDGED_AS_ONE)

function precheck(builder: StepBuilder, stock: Stock, pending: PendingSale): CommandResult | null {
  const lots = stock.lots.filter((lot) => pending.lotIds.includes(lot.id)).sort(byTarget(stock))
  const [first] = lots
  if (first === undefined) return null
  const { type, price } =
    pending.how === 'target'
      ? { type: 'limit' as const, price: targetOf(stock, first) }
      : priceOf(builder, stock, pending)
  const gateResult = gate(
    { book: builder.book, view: builder.view },
    builder.ctx,
    saleOf(stock, lots, type, price),
    PRECHECKS,
  )
  if (!gateResult.ok) return refusedBy(gateResult.reason)
  const largest = Math.max(...sizesOf(stock, lots, pending))
  const worth = saleValue(builder.ctx, stock, pending.lotIds, price, largest)
  const tooMuch = personAmountText(builder.book, builder.ctx, worth)
  return tooMuch === null ? null : refused('CONFLICT', tooMuch)
}

/** Shares of each order the sale becomes. */
const sizesOf = (stock: Stock, lots: readonly HeldLot[], { how, slices }: PendingSale): number[] => {
  if (how !== 'target') return sliceSell(remainCount(lots), slices)
  return stock.settings.autoSellWithAvgPrice ? [remainCount(lots)] : lots.map((lot) => lot.count)
}

const refusedBy = (reason: Reason): CommandResult =>
  refused(reason.code === 'stop' ? 'STOPPED' : 'CONFLICT', reason.text)

const saleOf = (stock: Stock, lots: readonly HeldLot[], type: OrderType, price: number): Proposal => ({
  stock,
  side: 'sell',
  origin: 'person',
  type,
  price,
  reservedPrice: 0,
  count: remainCount(lots),
  lotIds: lots.map((lot) => lot.id),
})

/** Moves every waiting sale on: cancel what is in the way, sell when the way is free, report when it is decided. */
export function settlePendingSales(builder: StepBuilder): void {
  for (const pending of builder.view.orders.pendingSales) {
    const result = settle(builder, pending)
    if (result === null) continue
    builder.patchView({ orders: { pendingSales: builder.view.orders.pendingSales.filter((one) => one !== pending) } })
    builder.effect({ kind: 'commandResult', ticket: pending.ticket, result })
  }
}

function settle(builder: StepBuilder, pending: PendingSale): CommandResult | null {
  const stock = builder.stock(pending.code)
  const lots = (stock?.lots ?? []).filter((lot) => pending.lotIds.includes(lot.id)).sort(byTarget(stock))
  if (stock === undefined || lots.length === 0)
    return refused('CONFLICT', '팔 주식이 남아 있지 않습니다. 이미 팔렸는지 확인해 주세요.')
  const live = liveOrders(builder.book, pending.code)
  const inTheWay = new Set(lots.flatMap((lot) => orderOfLot(live, lot.id) ?? []))
  if (inTheWay.size === 0) return sell(builder, stock, lots, pending)
  if (builder.ctx.now >= pending.until)
    return refused('BUSY', '앞선 주문이 아직 취소되지 않았습니다. 잠시 뒤 다시 해 주세요.')
  for (const order of inTheWay) askCancel(builder, order.id)
  return null
}

const byTarget = (stock: Stock | undefined) => (a: HeldLot, b: HeldLot) =>
  stock === undefined ? 0 : targetOf(stock, a) - targetOf(stock, b) || a.id - b.id

const targetOf = (stock: Stock, lot: HeldLot): number => lotTarget(lot.buyPrice, stock.settings, stock.issue.kind)

function sell(builder: StepBuilder, stock: Stock, lots: readonly HeldLot[], pending: PendingSale): CommandResult {
  const refusal = precheck(builder, stock, pending)
  if (refusal !== null) return refusal
  const orderIds: number[] = []
  for (const { lotIds, type, price } of ordersOf(builder, stock, lots, pending)) {
    const now = builder.stock(stock.issue.code) ?? stock
    const sold = lotIds.flatMap((id) => now.lots.find((lot) => lot.id === id) ?? [])
    const placed = place(builder, saleOf(now, sold, type, price), '사람이 낸 매도 주문입니다.')
    if (placed.ok) orderIds.push(placed.orderId)
    else if (orderIds.length === 0) return refusedBy(placed.reason)
  }
  return { ok: true, orderIds, differences: [] }
}

interface SaleOrder {
  readonly lotIds: readonly number[]
  readonly type: OrderType
  readonly price: number
}

function ordersOf(builder: StepBuilder, stock: Stock, lots: readonly HeldLot[], pending: PendingSale): SaleOrder[] {
  if (pending.how !== 'target') {
    const { type, price } = priceOf(builder, stock, pending)
    return sliceLots(builder, stock.issue.code, lots, pending.slices).map((lotIds) => ({ lotIds, type, price }))
  }
  const whole = stock.settings.autoSellWithAvgPrice && lots.length > 1
  const average = whole ? averageTarget(lots, stock.settings, stock.issue.kind) : null
  if (average !== null) return [{ lotIds: lots.map((lot) => lot.id), type: 'limit', price: average }]
  return lots.map((lot) => ({ lotIds: [lot.id], type: 'limit', price: targetOf(stock, lot) }))
}

/** Market where the venue takes it, else the opposite best price, else the last price. */
function priceOf(builder: StepBuilder, stock: Stock, pending: PendingSale): { type: OrderType; price: number } {
  if (pending.how !== 'market') return { type: 'limit', price: pending.price }
  const where = route(stock.issue, builder.ctx.now, builder.ctx.timetable, builder.ctx.env)
  if (where === null || where.marketOrders) return { type: 'market', price: 0 }
  if (where.bestOrders) return { type: 'best', price: 0 }
  return { type: 'limit', price: ceilToTick(builder.ctx.quote(stock.issue.code)?.price ?? 0, stock.issue.kind) }
}

/** Groups of whole lots, one group a slice: a lot that crosses a border is split, so that no lot is in two orders. */
function sliceLots(builder: StepBuilder, code: string, lots: readonly HeldLot[], slices: number): number[][] {
  const queue = lots.map((lot) => ({ id: lot.id, count: lot.count }))
  return sliceSell(remainCount(lots), slices).map((size) => {
    const slice: number[] = []
    for (let open = size; open > 0;) {
      const lot = queue.shift()
      if (lot === undefined) break
      if (lot.count <= open) {
        slice.push(lot.id)
        open -= lot.count
        continue
      }
      // The rest of the lot keeps its number and its place for the next slice.
      const newLotId = builder.book.nextLotId
      builder.record({ kind: 'lotSplit', code, lotId: lot.id, newLotId, count: open })
      queue.unshift({ id: lot.id, count: lot.count - open })
      slice.push(newLotId)
      open = 0
    }
    return slice
  })
}
