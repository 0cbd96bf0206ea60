import { ceilToTick } from '../krx/tick.ts'
import { route } from '../krx/route.ts'
import { lotTarget, sliceSell } from '../ladder/sell.ts'
import { liveOrders, orderOfLot, type Draft } from './draft.ts'
import { askCancel, place } from './ordering.ts'
import type { Answer, Wish } from './step-types.ts'
import type { HeldLot, OrderType, Stock } from './types.ts'

/** How long a person's sale waits for older orders of its lots to be cancelled, ms. */
const WISH_MS = 30_000

export const makeWish = (draft: Draft, wish: Omit<Wish, 'until'>): void =>
  draft.know({ wishes: [...draft.view.wishes, { ...wish, until: draft.ctx.now + WISH_MS }] })

/** Moves every waiting sale on: cancel what is in the way, sell when the way is free, answer when it is decided. */
export function settleWishes(draft: Draft): void {
  for (const wish of draft.view.wishes) {
    const answer = settle(draft, wish)
    if (answer === null) continue
    draft.know({ wishes: draft.view.wishes.filter((one) => one !== wish) })
    draft.effect({ kind: 'answer', ticket: wish.ticket, answer })
  }
}

function settle(draft: Draft, wish: Wish): Answer | null {
  const stock = draft.stock(wish.code)
  const lots = (stock?.lots ?? []).filter((lot) => wish.lotIds.includes(lot.id)).sort(byTarget(stock))
  if (stock === undefined || lots.length === 0)
    return refused('CONFLICT', '팔 주식이 남아 있지 않습니다. 이미 팔렸는지 확인해 주세요.')
  const live = liveOrders(draft.book, wish.code)
  const inTheWay = new Set(lots.flatMap((lot) => orderOfLot(live, lot.id) ?? []))
  if (inTheWay.size === 0) return sell(draft, stock, lots, wish)
  if (draft.ctx.now >= wish.until)
    return refused('BUSY', '앞선 주문이 아직 취소되지 않았습니다. 잠시 뒤 다시 해 주세요.')
  for (const order of inTheWay) askCancel(draft, order.id)
  return null
}

const byTarget = (stock: Stock | undefined) => (a: HeldLot, b: HeldLot) =>
  stock === undefined ? 0 : targetOf(stock, a) - targetOf(stock, b) || a.id - b.id

const targetOf = (stock: Stock, lot: HeldLot): number => lotTarget(lot.buyPrice, stock.settings, stock.issue.kind)

function sell(draft: Draft, stock: Stock, lots: readonly HeldLot[], wish: Wish): Answer {
  const orders: { lots: readonly number[]; price: number; type: OrderType }[] = []
  const { type, price } = priceOf(draft, stock, wish)
  if (wish.how === 'target') {
    for (const lot of lots) orders.push({ lots: [lot.id], price: targetOf(stock, lot), type: 'limit' })
  } else {
    for (const slice of sliceLots(draft, stock.issue.code, lots, wish.slices)) orders.push({ lots: slice, price, type })
  }
  const orderIds: number[] = []
  for (const order of orders) {
    const now = draft.stock(stock.issue.code) ?? stock
    const count = now.lots.filter((lot) => order.lots.includes(lot.id)).reduce((sum, lot) => sum + lot.count, 0)
    const placed = place(
      draft,
      {
        stock: now,
        side: 'sell',
        origin: 'person',
        type: order.type,
        price: order.price,
        reservedPrice: 0,
        count,
        lotIds: order.lots,
      },
      '사람이 낸 매도 주문입니다.',
    )
    if (placed.ok) orderIds.push(placed.orderId)
    else if (orderIds.length === 0)
      return refused(placed.reason.code === 'stop' ? 'STOPPED' : 'CONFLICT', placed.reason.text)
  }
  return { ok: true, orderIds, differences: [] }
}

/** Market where the venue takes it, else the opposite best price, else the last price. */
function priceOf(draft: Draft, stock: Stock, wish: Wish): { type: OrderType; price: number } {
  if (wish.how !== 'market') return { type: 'limit', price: wish.price }
  const where = route(stock.issue, draft.ctx.now, draft.ctx.timetable, draft.ctx.env)
  if (where === null || where.marketOrders) return { type: 'market', price: 0 }
  if (where.bestOrders) return { type: 'best', price: 0 }
  return { type: 'limit', price: ceilToTick(draft.ctx.quote(stock.issue.code)?.price ?? 0, stock.issue.kind) }
}

/** Groups of whole lots, one group a slice: a lot that lies across a border is split, so that no lot is in two orders. */
function sliceLots(draft: Draft, code: string, lots: readonly HeldLot[], slices: number): number[][] {
  const total = lots.reduce((sum, lot) => sum + lot.count, 0)
  const queue = lots.map((lot) => ({ id: lot.id, count: lot.count }))
  return sliceSell(total, slices).map((size) => {
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
      const newLotId = draft.book.nextLotId
      draft.record({ kind: 'lotSplit', code, lotId: lot.id, newLotId, count: open })
      queue.unshift({ id: lot.id, count: lot.count - open })
      slice.push(newLotId)
      open = 0
    }
    return slice
  })
}

export const refused = (code: Extract<Answer, { ok: false }>['code'], text: string): Answer => ({
  ok: false,
  code,
  text,
})
