/**
 * Won gained by the shares held, which cost `amount`, at this price: before the costs of selling, and without what past sales
 * brought. Null: no price, so unknown; a caller that must give a number says why its number is 0.
 */
export function unrealisedGain(count: number, amount: number, price: number | null): number | null {
  if (count === 0) return 0
  return price === null ? null : count * price - amount
}

/** Gross gain of one trade, won (spec 9): count × (sell − buy). Null: no price, or a correction without a known sale. */
export const grossGain = (count: number, buyPrice: number, sellPrice: number | null): number | null =>
  sellPrice === null ? null : count * (sellPrice - buyPrice)

interface Sale {
  readonly sellAmount: number | null
  readonly buyAmount: number
  readonly fee: number
  readonly tax: number
}

/** What a sale realised after the costs of both sides, won. Null: a correction without a known sale. */
export const realisedNetGain = ({ sellAmount, buyAmount, fee, tax }: Sale): number | null =>
  sellAmount === null ? null : sellAmount - buyAmount - fee - tax

/** Won that sales realised: by the prices of their trades, and after the costs of both sides. */
export interface Realised {
  readonly gross: number
  readonly net: number
}

/** 100 × gain / cost, 0 when the cost is 0 (spec 9). */
export const gainRatio = (gain: number, cost: number): number => (cost === 0 ? 0 : (100 * gain) / cost)
