import { grossGain, type Realised, realisedNetGain } from '../ladder/gain.ts'
import type { ClosedTrade } from './types.ts'

/** Gross gain of the spec, won; a correction, whose sale is unknown, adds nothing to a sum. */
export const gainOf = ({ count, buyPrice, sellPrice }: ClosedTrade): number =>
  grossGain(count, buyPrice, sellPrice) ?? 0

/** As `gainOf`, after the costs of both sides. */
export const netGainOf = (trade: ClosedTrade): number => realisedNetGain(trade) ?? 0

/** By code. */
export type RealisedByStock = ReadonlyMap<string, Realised>

export const NOTHING_REALISED: RealisedByStock = new Map()

export function withSale(before: RealisedByStock, trade: ClosedTrade): RealisedByStock {
  if (trade.sellPrice === null) return before
  const { gross, net } = before.get(trade.code) ?? { gross: 0, net: 0 }
  return new Map(before).set(trade.code, { gross: gross + gainOf(trade), net: net + netGainOf(trade) })
}
