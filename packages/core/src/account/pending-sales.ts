import type { ReasonCode } from '../ladder/reason-codes.ts'
import { remainCount } from '../ladder/buy.ts'
import { codeOf, refused, type Refusal } from './command-result.ts'
import { whyFrozen } from './frozen.ts'
import { liveOrders, orderOfLot, type StepBuilder } from './step-builder.ts'
import { gate, GATE } from './gate.ts'
import { personAmountText, saleValue } from './limits/refuse.ts'
import { hasNoVerdict, LISTING_LAG_MS } from './order-status.ts'
import { askCancel, place, type Placed } from './ordering.ts'
import { PENDING_SALE_MS } from './rearm.ts'
import { byTarget, lotsOfOrders, priceOf, saleOf, sizesOf } from './sale-orders.ts'
import type { CommandResult } from './step-types.ts'
import type { HeldLot, Order, OrderStatus, Reason, Stock } from './types.ts'
import type { PendingSale } from './view.ts'

/** More orders than this at once would only wait for each other. */
export const MAX_SLICES = 20

export const hasPendingSale = (builder: StepBuilder, lotId: number): boolean =>
  builder.view.orders.pendingSales.some((pending) => pending.lotIds.includes(lotId))

type AskedSale = Omit<PendingSale, 'until' | 'unplaced' | 'orderIds'>

/** Null: the result comes later. A sale that could not go out anyway is refused before an older order is cancelled for it. */
export function addPendingSale(builder: StepBuilder, stock: Stock, asked: AskedSale): CommandResult | null {
  const pending = { ...asked, until: builder.ctx.now + PENDING_SALE_MS, unplaced: null, orderIds: [] }
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
  for (const pending of dropped) {
    const undone = pending.orderIds.length === 0 ? '팔지' : '더 내지'
    const why = `주문을 모두 취소해 달라는 요청이 있어 ${undone} 않았습니다.`
    builder.effect({
      kind: 'commandResult',
      ticket: pending.ticket,
      result: unfinished(builder, pending, 'CONFLICT', why),
    })
  }
}

/** Checks that fail because of older orders of the same lots, and pass once those are cancelled. */
const PASSED_ONCE_CANCELLED = new Set<ReasonCode>(['unknown', 'oneOrderPerLot'])
/** Checks that fail because of how many orders there are, and pass with time: what waits only for them is not refused. */
const PASSED_WITH_TIME = new Set<ReasonCode>(['ordersPerMinute', 'queue'])
/** The gate judges each order alone; the precheck judges all orders of the sale as one, with the rest of a lot that is split for it. */
const JUDGED_AS_ONE = 'personOrderAmount'
const PRECHECKS = GATE.filter(
  ({ name }) => !PASSED_ONCE_CANCELLED.has(name) && !PASSED_WITH_TIME.has(name) && name !== JUDGED_AS_ONE,
)
const ROOM_CHECKS = GATE.filter(({ name }) => PASSED_WITH_TIME.has(name))

function precheck(builder: StepBuilder, stock: Stock, pending: PendingSale): CommandResult | null {
  const lots = stock.lots.filter((lot) => pending.lotIds.includes(lot.id)).sort(byTarget(stock))
  const [first] = lots
  if (first === undefined) return null
  const { type, price } = priceOf(builder, stock, pending, [first])
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

const refusedBy = (reason: Reason): CommandResult => refused(codeOf(reason), reason.text)

/** Moves every waiting sale on: cancel what is in the way, sell when the way is free, report when it is decided. */
export function settlePendingSales(builder: StepBuilder): void {
  for (const pending of builder.view.orders.pendingSales) {
    const result = settle(builder, pending)
    if (result === null) continue
    replacePending(builder, pending.ticket, null)
    builder.effect({ kind: 'commandResult', ticket: pending.ticket, result })
  }
}

function replacePending(builder: StepBuilder, ticket: number, next: PendingSale | null): void {
  const pendingSales = builder.view.orders.pendingSales.flatMap((one) => (one.ticket === ticket ? (next ?? []) : one))
  builder.patchView({ orders: { pendingSales } })
}

const GONE: Reason = {
  side: 'sell',
  ok: false,
  code: 'size',
  text: '팔 주식이 남아 있지 않습니다. 이미 팔렸는지 확인해 주세요.',
}

function settle(builder: StepBuilder, pending: PendingSale): CommandResult | null {
  const stock = builder.stock(pending.code)
  const lots = (stock?.lots ?? []).filter((lot) => pending.lotIds.includes(lot.id)).sort(byTarget(stock))
  if (stock === undefined || remainCount(lots) <= pending.kept)
    return unfinished(builder, pending, 'CONFLICT', GONE.text)
  const turnedBack = whyTurnedBack(builder, pending) ?? whyFrozen(builder, stock, pending.how)
  if (turnedBack !== null) return unfinished(builder, pending, 'CONFLICT', turnedBack)
  const live = liveOrders(builder.book, pending.code)
  const inTheWay = new Set(lots.flatMap((lot) => orderOfLot(live, lot.id) ?? []))
  if (inTheWay.size === 0) return sell(builder, stock, lots, pending)
  if (isLate(builder, pending))
    return unfinished(builder, pending, 'BUSY', '앞선 주문이 아직 취소되지 않았습니다. 잠시 뒤 다시 해 주세요.')
  if ([...inTheWay].some((order) => outlastsWait(builder, order, pending)))
    return unfinished(builder, pending, 'BUSY', UNSETTLED)
  for (const order of inTheWay) askCancel(builder, order.id)
  return null
}

const isLate = (builder: StepBuilder, pending: PendingSale): boolean => builder.ctx.now >= pending.until

const UNSETTLED = '앞선 주문의 결과를 증권사 기록에서 확인하는 중이라 팔 수 없습니다. 확인이 끝난 뒤 다시 해 주세요.'

/**
 * Whether waiting is of no use: the lists had time to show an order without a verdict and did not, and that it is absent is
 * believed only after the wait. After a takeover that is a quarter of an hour.
 */
const outlastsWait = (
  { ctx }: StepBuilder,
  { status, updatedAt, absentFrom }: Order,
  { until }: PendingSale,
): boolean => status === 'unknown' && ctx.now - updatedAt >= LISTING_LAG_MS && (absentFrom ?? 0) > until

/** An order of the sale that did not go, or that a person takes back, ends what is left of it. Null: none did. */
function whyTurnedBack({ book }: StepBuilder, { orderIds }: PendingSale): string | null {
  if (orderIds.some((id) => book.orders.get(id)?.cancelWanted))
    return '이 매도의 주문을 취소해 달라는 요청이 있었습니다.'
  const failed = orderIds.flatMap((id) => book.orders.get(id) ?? []).find(({ status }) => hasFailed(status))
  return failed === undefined ? null : `나가지 못한 주문이 있어 더 내지 않았습니다: ${failed.note ?? '이유 없음'}`
}

const hasFailed = (status: OrderStatus): boolean => status === 'rejected' || status === 'notPlaced'

/** The answer to a sale that ends before each of its orders was placed: never an ok, and with numbers once some were. */
function unfinished({ book }: StepBuilder, pending: PendingSale, code: Refusal['code'], why: string): CommandResult {
  const { orderIds, unplaced } = pending
  if (orderIds.length === 0) return refused(code, why)
  const statuses = orderIds.flatMap((id) => book.orders.get(id)?.status ?? [])
  const all = orderIds.length + (unplaced?.length ?? 0)
  const placed = orderIds.length - statuses.filter(hasFailed).length
  const waiting = statuses.filter(hasNoVerdict).length
  return refused(
    code,
    [
      `매도 주문 ${all}건 가운데 ${placed}건을 냈고 ${all - placed}건은 내지 못했습니다.`,
      ...(waiting === 0 ? [] : [`낸 주문 가운데 ${waiting}건은 아직 증권사의 답을 기다립니다.`]),
      why,
      '다시 매도하면 주문이 없는 주식만 냅니다.',
    ].join(' '),
  )
}

/** Places what there is room for. What is left waits for more, so that no order is forgotten behind an ok. */
function sell(
  builder: StepBuilder,
  stock: Stock,
  lots: readonly HeldLot[],
  pending: PendingSale,
): CommandResult | null {
  if (pending.unplaced !== null) return placeRest(builder, stock, pending, pending.unplaced)
  const refusal = precheck(builder, stock, pending)
  if (refusal !== null) return refusal
  const { type, price } = priceOf(builder, stock, pending, lots)
  const account = { book: builder.book, view: builder.view }
  const room = gate(account, builder.ctx, saleOf(stock, lots, type, price), ROOM_CHECKS)
  // Lots are not cut for orders that cannot be placed yet.
  if (!room.ok) return waitForRoom(builder, pending, room.reason)
  const until = builder.ctx.now + PENDING_SALE_MS
  return placeRest(builder, stock, { ...pending, until }, lotsOfOrders(builder, stock, lots, pending))
}

function placeRest(
  builder: StepBuilder,
  stock: Stock,
  pending: PendingSale,
  unplaced: readonly (readonly number[])[],
): CommandResult | null {
  const orderIds = [...pending.orderIds]
  const refusals = unplaced.flatMap((lotIds) => {
    const placed = placeOne(builder, stock, pending, lotIds)
    if (!placed.ok) return { lotIds, reason: placed.reason }
    orderIds.push(placed.orderId)
    return []
  })
  const [first] = refusals
  if (first === undefined) return { ok: true, orderIds, differences: [] }
  const left = refusals.map(({ lotIds }) => lotIds)
  const next = { ...pending, lotIds: left.flat(), kept: 0, unplaced: left, orderIds }
  const noRoom = refusals.find(({ reason }) => PASSED_WITH_TIME.has(reason.code))
  if (noRoom !== undefined) return waitForRoom(builder, next, noRoom.reason)
  return unfinished(builder, next, codeOf(first.reason), first.reason.text)
}

function placeOne(builder: StepBuilder, { issue }: Stock, pending: PendingSale, lotIds: readonly number[]): Placed {
  const stock = builder.stock(issue.code)
  const lots = lotIds.flatMap((id) => stock?.lots.find((lot) => lot.id === id) ?? [])
  if (stock === undefined || lots.length === 0) return { ok: false, reason: GONE }
  const { type, price } = priceOf(builder, stock, pending, lots)
  return place(builder, saleOf(stock, lots, type, price), '사람이 낸 매도 주문입니다.')
}

/** Null: it goes on when verdicts or time have made room. */
function waitForRoom(builder: StepBuilder, pending: PendingSale, { code }: Reason): CommandResult | null {
  if (isLate(builder, pending))
    return unfinished(builder, pending, 'BUSY', NO_ROOM[code === 'queue' ? code : 'ordersPerMinute'].text)
  replacePending(builder, pending.ticket, pending)
  return null
}

const NO_ROOM = {
  queue: { text: '먼저 낸 주문들이 아직 다 나가지 않았습니다. 잠시 뒤 다시 해 주세요.' },
  ordersPerMinute: { text: '1분 주문 횟수 한도에 닿았습니다. 1분쯤 뒤에 다시 해 주세요.' },
}
