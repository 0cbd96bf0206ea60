import type { Stock } from '@digger/contract'

type Position = Pick<Stock, 'price' | 'remainCount' | 'remainAmount'>

/** Won gained by the shares held at the last price, without what past trades brought. Null: no price, so unknown. */
export function gainOf(stock: Position): number | null {
  if (stock.remainCount === 0) return 0
  return stock.price === null ? null : stock.remainCount * stock.price - stock.remainAmount
}

/** Percent of what the held shares cost; 0 when nothing is held. */
export function gainRatioOf(stock: Position): number | null {
  const gain = gainOf(stock)
  return gain === null ? null : ratio(gain, stock.remainAmount)
}

/** 100 × gain / cost, 0 when the cost is 0 (spec 9). */
export const ratio = (gain: number, cost: number): number => (cost === 0 ? 0 : (100 * gain) / cost)

interface TradeFigures {
  buyCount: number
  buyPrice: number
  sellPrice: number | null
}

/** Gain of a trade at its sell price, or at the current price while open (spec 9). Null: no price. */
export function tradeGain(trade: TradeFigures, price: number | null): number | null {
  const at = trade.sellPrice ?? price
  return at === null ? null : trade.buyCount * (at - trade.buyPrice)
}
