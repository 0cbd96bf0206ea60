import { ceilToTick } from '../krx/tick.ts'
import { averageTarget, lotTarget, sliceSell } from '../ladder/sell.ts'
import { remainCount } from '../ladder/buy.ts'
import { boughtBeforePart } from './cost-share.ts'
import type { StepBuilder } from './step-builder.ts'
import type { Proposal } from './step-types.ts'
import type { HeldLot, OrderType, Stock } from './types.ts'
import { routeOf } from './venues.ts'
import type { PendingSale } from './view.ts'

export const saleOf = (stock: Stock, lots: readonly HeldLot[], type: OrderType, price: number): Proposal => ({
  stock,
  side: 'sell',
  origin: 'person',
  type,
  price,
  reservedPrice: 0,
  count: remainCount(lots),
  lotIds: lots.map((lot) => lot.id),
})

/** The lots without the shares of the last that are kept. */
export function withoutKept(lots: readonly HeldLot[], kept: number): HeldLot[] {
  let left = remainCount(lots) - kept
  return lots.flatMap((lot) => {
    const count = Math.min(lot.count, Math.max(0, left))
    left -= count
    return count === 0 ? [] : { ...lot, count }
  })
}

export const byTarget = (stock: Stock | undefined) => (a: HeldLot, b: HeldLot) =>
  stock === undefined ? 0 : targetOf(stock, a) - targetOf(stock, b) || a.id - b.id

const targetOf = (stock: Stock, lot: HeldLot): number => lotTarget(lot.buyPrice, stock.settings, stock.issue.kind)

/** Shares of each order the sale becomes. */
export const sizesOf = (stock: Stock, lots: readonly HeldLot[], { how, slices, kept }: PendingSale): number[] => {
  if (how !== 'target') return sliceSell(remainCount(lots) - kept, slices)
  return stock.settings.autoSellWithAvgPrice ? [remainCount(lots)] : lots.map((lot) => lot.count)
}

/** The lots of each order that the sale becomes. */
export function lotsOfOrders(
  builder: StepBuilder,
  stock: Stock,
  lots: readonly HeldLot[],
  pending: PendingSale,
): (readonly number[])[] {
  if (pending.how !== 'target') return sliceLots(builder, stock.issue.code, lots, sizesOf(stock, lots, pending))
  const ids = lots.map((lot) => lot.id)
  return stock.settings.autoSellWithAvgPrice ? [ids] : ids.map((id) => [id])
}

interface SalePrice {
  readonly type: OrderType
  readonly price: number
}

/** What an order of these lots, lowest target first, is priced at. */
export function priceOf(builder: StepBuilder, stock: Stock, pending: PendingSale, lots: readonly HeldLot[]): SalePrice {
  if (pending.how === 'target') return { type: 'limit', price: targetOfAll(stock, lots) }
  if (pending.how === 'price') return { type: 'limit', price: pending.price }
  return marketPriceOf(builder, stock)
}

const targetOfAll = (stock: Stock, lots: readonly HeldLot[]): number => {
  const [first] = lots
  const average = lots.length > 1 ? averageTarget(lots, stock.settings, stock.issue.kind) : null
  return average ?? (first === undefined ? 0 : targetOf(stock, first))
}

/** Market where the venue takes it, else the opposite best price, else the last price. */
function marketPriceOf(builder: StepBuilder, stock: Stock): SalePrice {
  const where = routeOf(builder, builder.ctx, stock.issue)
  if (where === null || where.marketOrders) return { type: 'market', price: 0 }
  if (where.bestOrders) return { type: 'best', price: 0 }
  return { type: 'limit', price: ceilToTick(builder.ctx.quote(stock.issue.code)?.price ?? 0, stock.issue.kind) }
}

/** Groups of whole lots, one group a slice: a lot that crosses a border is split, so that no lot is in two orders. */
function sliceLots(builder: StepBuilder, code: string, lots: readonly HeldLot[], sizes: readonly number[]): number[][] {
  const queue = [...lots]
  return sizes.map((size) => {
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
      const boughtBefore = boughtBeforePart(lot, open)
      builder.record({ kind: 'lotSplit', code, lotId: lot.id, newLotId, count: open, boughtBefore })
      queue.unshift(...(builder.stock(code)?.lots.filter(({ id }) => id === lot.id) ?? []))
      slice.push(newLotId)
      open = 0
    }
    return slice
  })
}
