import type { Stock } from '@digger/contract'
import { kstIso } from '@digger/core'
import { distanceText } from './distance.ts'

type Reason = Stock['reasons'][number]

/** The one line of a card: what kept a buy from happening, or else why one happened. */
export const mainReason = (reasons: readonly Reason[]): Reason | undefined => {
  const buys = reasons.filter(({ side }) => side === 'buy')
  return buys.find(({ ok }) => !ok) ?? buys[0]
}

/** What waits says how far it is, and names no price: that stands beside it and moves on. What is past says when that was. */
export function reasonText(
  { code, text, at }: Reason,
  { price, nextBuyPrice }: Pick<Stock, 'price' | 'nextBuyPrice'>,
): string {
  if (at !== undefined) return `${pastTime(at)} ${text}`
  if (code !== 'aboveNextPrice' || price === null || nextBuyPrice === null || price <= nextBuyPrice) return text
  return `다음 매수까지 ${distanceText(price, nextBuyPrice).replace('지금', '0.0%')} 남아 기다립니다.`
}

/** `11/20 13:12:05`. */
const pastTime = (at: string): string => kstIso(Date.parse(at)).slice(5, 19).replace('-', '/').replace('T', ' ')
