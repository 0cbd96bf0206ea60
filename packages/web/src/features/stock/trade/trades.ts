import type { Trade } from '@digger/contract'
import { gainRatio } from '@digger/core'
import { tradeGain } from '../../../format/gain.ts'

/** Gain and ratio as shown: of an open trade at the current (or simulated) price (spec 9). */
export function figuresOf(trade: Trade, price: number | null): { gain: number | null; gainRatio: number | null } {
  const gain = tradeGain(trade, price)
  return { gain, gainRatio: gain === null ? null : gainRatio(gain, trade.buyCount * trade.buyPrice) }
}

export const isOpen = (trade: Trade): boolean => trade.sellDateTime === null
