/** What is held of a stock, as of this day. */
export interface HeldToday {
  /** Shares held. */
  readonly count: number
  /** Of those, shares that were held when the day began. */
  readonly before: number
  /** Won that the others cost: they were bought today. */
  readonly boughtAmount: number
}

interface DayPrices {
  readonly price: number | null
  /** The day's base, won. */
  readonly base: number | null
  /** The share has become another one, and nobody has settled yet what that makes of those held. */
  readonly isFrozen: boolean
}

/**
 * Won gained today by the shares held: since the day's base, or since they were bought where that is later. Before costs. Null: not
 * known.
 */
export function openGainToday(
  { count, before, boughtAmount }: HeldToday,
  { price, base, isFrozen }: DayPrices,
): number | null {
  if (count === 0) return 0
  if (price === null || (before > 0 && (base === null || isFrozen))) return null
  return count * price - before * (base ?? 0) - boughtAmount
}

/** Sums amounts of which any may be unknown: then the sum is. */
export const knownSum = (amounts: Iterable<number | null>): number | null => {
  let sum = 0
  for (const amount of amounts) {
    if (amount === null) return null
    sum += amount
  }
  return sum
}
