import type { Stock } from '@digger/contract'
import { gainRatio, grossGain, unrealisedGain } from '@digger/core'

type Position = Pick<Stock, 'price' | 'remainCount' | 'remainAmount'>

/** Won gained by the shares held at the last price, without what past trades brought. Null: no price, so unknown. */
export const gainOf = ({ remainCount, remainAmount, price }: Position): number | null =>
  unrealisedGain(remainCount, remainAmount, price)

/** Percent of what the held shares cost; 0 when nothing is held. */
export function gainRatioOf(stock: Position): number | null {
  const gain = gainOf(stock)
  return gain === null ? null : gainRatio(gain, stock.remainAmount)
}

interface TradeFigures {
  buyCount: number
  buyPrice: number
  sellPrice: number | null
}

/** Gain of a trade at its sell price, or at the current price while open (spec 9). Null: no price. */
export const tradeGain = ({ buyCount, buyPrice, sellPrice }: TradeFigures, price: number | null): number | null =>
  grossGain(buyCount, buyPrice, sellPrice ?? price)
