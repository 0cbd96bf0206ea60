import { referenceAfterBuy } from '../ladder/buy.ts'
import { lowestBuyPrice, referenceAfterSale } from '../ladder/sell.ts'
import { won } from '../ladder/text.ts'
import { isLive } from './order-status.ts'
import type { StepBuilder } from './step-builder.ts'
import type { HeldLot, Order, Stock } from './types.ts'

/**
 * A fill that comes after the order's end must not lift the reference above what was bought since. Nor does a buy by hand:
 * who buys at 70,000 beside a ladder that stands at 62,000 does not ask it to buy at 69,300 again.
 */
export function moveReferenceAfterBuy(builder: StepBuilder, order: Order): void {
  const price = referenceAfterBuy(order.filledAmount, order.filledCount)
  const reference = builder.stock(order.code)?.settings.lastBuyPrice ?? null
  const late = !isLive(order.status)
  if ((late || order.origin === 'person') && reference !== null && reference <= price) return
  builder.record({ kind: 'referenceMoved', code: order.code, price, why: `매수 체결 평균 ${won(price)}` })
}

/** A person buys beside a ladder that has begun; the buy that begins one is its first step, whoever makes it. */
export const isBesideLadder = (builder: StepBuilder, { origin, code }: Order): boolean =>
  origin === 'person' && builder.stock(code)?.settings.lastBuyPrice !== null

/** With `recoverLastBuyPrice`, after a sale of (parts of) these lots. */
export function moveReferenceAfterSale(
  builder: StepBuilder,
  code: string,
  sold: readonly HeldLot[],
  salePrice: number,
): void {
  const stock = builder.stock(code)
  if (stock?.settings.recoverLastBuyPrice !== true) return
  const price = wayBack(stock, sold, salePrice)
  if (price === stock.settings.lastBuyPrice) return
  builder.record({ kind: 'referenceMoved', code, price, why: '매도 뒤 기준가 되돌림' })
}

/**
 * What the buy of a lot was not allowed, its sale is not, nor its being left: shares that a person bought may lower the
 * reference and never lift it. What waits in the book for its person's word says nothing at all.
 */
function wayBack({ settings, lots }: Stock, sold: readonly HeldLot[], salePrice: number): number | null {
  const reference = settings.lastBuyPrice
  const known = lots.filter(({ takenOver }) => !takenOver)
  if (reference === null) return referenceAfterSale(lowestBuyPrice(known), settings, reference, salePrice)
  if (!sold.some((lot) => isStep(lot) || hasLowered(lot, reference))) return reference
  const steps = known.filter(isStep)
  const isLadders = steps.length > 0 || sold.some(isStep)
  const stands = isLadders ? referenceAfterSale(lowestBuyPrice(steps), settings, reference, salePrice) : reference
  return known.reduce<number | null>((least, { buyPrice }) => Math.min(least ?? buyPrice, buyPrice), stands)
}

/** The ladder bought it. */
const isStep = ({ takenOver, byPerson }: HeldLot): boolean => !takenOver && byPerson !== true

/** The ladder would stand higher without it. */
const hasLowered = ({ takenOver, buyPrice }: HeldLot, reference: number): boolean => !takenOver && buyPrice <= reference
