import type { Stock } from '@digger/contract'

/** From the price that is there to another, one decimal, no sign on what shows as zero. */
export function distanceText(price: number | null, to: number): string {
  if (price === null || price === 0) return ''
  const percent = ((to - price) / price) * 100
  const text = Math.abs(percent).toFixed(1)
  return text === '0.0' ? '지금' : `${percent < 0 ? '−' : '+'}${text}%`
}

/** Percent that the price has to fall to the next buy; 0 when it is there, null where none is to come. */
export function fallToBuy({ price, nextBuyPrice, autoBuy, stop, frozen, blocked }: Stock): number | null {
  if (price === null || nextBuyPrice === null || !autoBuy || stop !== 'active' || frozen || blocked !== null)
    return null
  return Math.max(0, ((price - nextBuyPrice) / price) * 100)
}

/** How far it is to the next buy, or why there is none: `−0.3%`, `지금`, `멈춤`, `꺼짐`. */
export function nextBuyText(stock: Stock): string {
  const { price, nextBuyPrice, autoBuy, stop, frozen, blocked } = stock
  if (stop !== 'active' || frozen || blocked !== null) return '멈춤'
  if (!autoBuy) return '꺼짐'
  if (nextBuyPrice === null) return '없음'
  if (price === null) return '—'
  return price <= nextBuyPrice ? '지금' : distanceText(price, nextBuyPrice)
}

/** The same of the next sale. */
export function nextSaleText(stock: Stock): string {
  const { price, nextSellPrice, remainCount, stop, frozen, autoSell } = stock
  if (stop === 'halt' || frozen) return '멈춤'
  if (nextSellPrice === null || remainCount === 0) return autoSell ? '없음' : '꺼짐'
  if (price === null) return '—'
  return price >= nextSellPrice ? '지금' : distanceText(price, nextSellPrice)
}
