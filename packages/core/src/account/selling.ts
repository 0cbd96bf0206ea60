import { restoredAt } from './other-server-state.ts'
import { remainCount } from '../ladder/buy.ts'
import { grouped, no, won } from '../ladder/text.ts'
import { planSells } from '../ladder/sell.ts'
import { noticeBaseMove } from './corporate-action.ts'
import { frozenText } from './frozen.ts'
import { liveOrders, orderOfLot, type StepBuilder } from './step-builder.ts'
import { isOurDelay, noteDue } from './delayed-orders.ts'
import { gate } from './gate.ts'
import { askCancel, wantCancel, place } from './ordering.ts'
import type { Account, Context, Proposal } from './step-types.ts'
import type { HeldLot, Order, Reason, SellPlan, Stock } from './types.ts'

/** Why the automatic sale leaves a lot out for now. It offers lots that are whole, not claimed by a person, not held back. */
const EXCLUDED_TEXT = {
  buying: '매수 주문이 끝난 뒤 매도를 겁니다.',
  asked: '요청하신 매도를 처리하고 있습니다.',
  byHand: '직접 낸 매도 주문에 들어 있습니다.',
  takenOver: '잔고를 맞추며 장부에 들어온 주식이라 팔지 않습니다. 거래 화면에서 자동 매도에 넣으면 팝니다.',
  heldBack:
    '자동 매도를 사람이 취소했습니다. 설정을 저장하거나 관리자가 ‘주문 적용’을 누르거나 다음 날이 되면 다시 겁니다.',
}

function whyExcluded(account: Account, lot: HeldLot, live: readonly Order[]): keyof typeof EXCLUDED_TEXT | null {
  if (lot.buyOrderId !== null) return 'buying'
  if (account.view.orders.pendingSales.some((pending) => pending.lotIds.includes(lot.id))) return 'asked'
  if (orderOfLot(live, lot.id)?.origin === 'person') return 'byHand'
  if (lot.takenOver) return 'takenOver'
  return lot.heldBack ? 'heldBack' : null
}

interface Wanted {
  /** Sells that should rest and do not yet. */
  readonly missing: readonly SellPlan[]
  /** Automatic sells that should not rest. */
  readonly wrong: readonly Order[]
  readonly reasons: readonly Reason[]
}

/** Compares what the settings ask to rest with what rests, without a change. `isEdited`: new settings also end a sale half done. */
export function wantedSells(account: Account, ctx: Context, stock: Stock, isEdited = false): Wanted {
  const live = liveOrders(account.book, stock.issue.code)
  const band = ctx.quote(stock.issue.code)?.band ?? null
  const byReason = Map.groupBy(stock.lots, (lot) => whyExcluded(account, lot, live))
  const lots = byReason.get(null) ?? []
  const plan = planSells({ settings: stock.settings, kind: stock.issue.kind, lots, band })
  const alone = [...byReason].flatMap(([why, left]) =>
    why === null ? [] : no('sell', why, `${grouped(remainCount(left))}주는 ${EXCLUDED_TEXT[why]}`),
  )
  const resting = live.filter((order) => order.side === 'sell' && order.origin === 'auto')
  const frozen = frozenText(stock, ctx.quote(stock.issue.code)?.moved)
  if (frozen !== null) return { missing: [], wrong: resting, reasons: [no('sell', 'frozen', frozen)] }
  const wrong = resting.filter((order) => !plan.orders.some((wanted) => isSame(order, wanted, stock, isEdited)))
  const missing = plan.orders.filter((wanted) =>
    wanted.lots.every(({ lotId }) => orderOfLot(resting, lotId) === undefined),
  )
  // That nothing is held is only true of what the settings may sell.
  const own = plan.reasons.filter(({ code }) => code !== 'nothingHeld' || alone.length === 0)
  return { missing, wrong, reasons: stock.settings.autoSell ? [...own, ...alone] : own }
}

/**
 * A part-filled order still covers the rest of its lots: the price and the shares still held must agree. Lots sell
 * cheapest first, so what is left of a whole position has a higher average; the sale goes on at the price it began with.
 */
function isSame(order: Order, wanted: SellPlan, stock: Stock, isEdited: boolean): boolean {
  const begun = !isEdited && order.filledCount > 0 && order.lots.length > 1 && stock.settings.autoSellWithAvgPrice
  if (order.price !== wanted.price && !(begun && order.price < wanted.price)) return false
  const held = order.lots.filter(({ lotId }) => stock.lots.some((lot) => lot.id === lotId))
  const wantedIds = new Set(wanted.lots.map((lot) => lot.lotId))
  if (order.count - order.filledCount !== wanted.count) return false
  return held.length === wantedIds.size && held.every(({ lotId }) => wantedIds.has(lotId))
}

/** Cancels what is wrong; places what is missing once nothing wrong rests (the two modes never rest at once). */
export function settleSells(builder: StepBuilder, code: string, isEdited = false): void {
  noticeBaseMove(builder, code)
  const stock = builder.stock(code)
  if (stock === undefined) return
  if (stock.lots.length === 0) return noteDue(builder, `sell ${code}`, false)
  // What looks wrong to a book of before may be as the living server wants it.
  if (!isEdited && restoredAt(builder.book.otherServer) !== null) return
  const account = { book: builder.book, view: builder.view }
  const { missing, wrong } = wantedSells(account, builder.ctx, stock, isEdited)
  if (isEdited) for (const order of wrong) wantCancel(builder, order.id)
  for (const order of wrong) askCancel(builder, order.id)
  if (wrong.length > 0 && modesMix(wrong, stock)) return
  let heldUp = false
  for (const plan of missing) {
    const placed = place(builder, proposalOf(stock, plan), whySell(stock, plan))
    if (!placed.ok && isOurDelay(placed.reason)) heldUp = true
  }
  noteDue(builder, `sell ${code}`, heldUp)
}

const modesMix = (wrong: readonly Order[], stock: Stock): boolean =>
  stock.settings.autoSellWithAvgPrice || wrong.some((order) => order.lots.length > 1)

export const proposalOf = (stock: Stock, plan: SellPlan): Proposal => ({
  stock,
  side: 'sell',
  origin: 'auto',
  type: 'limit',
  price: plan.price,
  reservedPrice: 0,
  count: plan.count,
  lotIds: plan.lots.map((lot) => lot.lotId),
})

function whySell(stock: Stock, plan: SellPlan): string {
  const price = won(plan.price)
  return stock.settings.autoSellWithAvgPrice
    ? `평균 매수가의 목표 ${price}에 전부 팔려고 걸어 둡니다.`
    : `매수가보다 ${stock.settings.sellPercent}% 높은 목표 ${price}에 걸어 둡니다.`
}

/** Why a wanted sell does not rest now; null when the gate would let it pass. */
export function sellRefusal(account: Account, ctx: Context, stock: Stock, plan: SellPlan): Reason | null {
  const gateResult = gate(account, ctx, proposalOf(stock, plan))
  return gateResult.ok ? null : gateResult.reason
}
