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

/** Average price of the held shares, rounded up to a won; null when nothing is held. */
export const averagePrice = ({ remainCount, remainAmount }: Position): number | null =>
  remainCount === 0 ? null : Math.ceil(remainAmount / remainCount)

/** What a card shows as the target of an average sale: average plus sellPercent, rounded up. */
export function averageTarget(stock: Position & { sellPercent: number }): number | null {
  const average = averagePrice(stock)
  // Percent in hundredths keeps 69,300 × 1.012 an exact product: 1.2 is not a binary number.
  return average === null ? null : Math.ceil((average * Math.round(10_000 + stock.sellPercent * 100)) / 10_000)
}

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
