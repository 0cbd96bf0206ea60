import type { HeldLot, LotCost } from './types.ts'

/** The part of a lot's cost that belongs to `count` of its shares, won, rounded down; the rest keeps the remainder. */
export const costShare = (lot: { buyAmount: number; count: number }, count: number): number =>
  shareOf(lot.buyAmount, count, lot.count)

/** floor(amount × part / whole), split so that no product passes 2^53: amount × part may. */
export function shareOf(amount: number, part: number, whole: number): number {
  const rest = amount % whole
  return ((amount - rest) / whole) * part + Math.floor((rest * part) / whole)
}

/** Won of its buy that come before `count` shares that leave a lot: what others of that buy keep, and what is left of the lot. */
export const boughtBeforePart = (lot: Pick<HeldLot, 'buyAmount' | 'count' | 'boughtBefore'>, count: number): number =>
  (lot.boughtBefore ?? 0) + lot.buyAmount - costShare(lot, count)

/** The lots at what they cost from now on; those that `costs` does not name cost what they did. */
export const atCosts = (lots: readonly HeldLot[], costs: readonly LotCost[]): readonly HeldLot[] =>
  lots.map((lot) => ({ ...lot, ...costs.find(({ id }) => id === lot.id) }))
