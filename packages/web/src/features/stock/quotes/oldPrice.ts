import { useState } from 'react'

/** A price of longer ago is asked about before anything is ordered by it, ms. */
const OLD_MS = 60_000

/** `방금`, `3분 전`: how old a price is. */
export function agoText(ms: number): string {
  if (ms <= OLD_MS) return '방금'
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes}분 전`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours}시간 전` : `${Math.floor(hours / 24)}일 전`
}

/** What is said before an order by a price of long ago; null where the price is of now, or there is none. */
export const oldPriceText = (ageMs: number | null): string | null =>
  ageMs === null || ageMs <= OLD_MS
    ? null
    : `시세가 ${agoText(ageMs)} 것입니다. 지금 값은 다를 수 있습니다. 그래도 주문하려면 한 번 더 눌러 주세요.`

interface Priced {
  readonly priceAt: string | null
  readonly priceAgeMs: number | null
}

export interface OldPrice {
  /** What is asked, once the button was pressed and until it is pressed again. */
  readonly question: string | null
  /** True: the press may go on. False: it was the first one on an old price, and the question stands there now. */
  readonly mayGoOn: () => boolean
}

/** An order by a price of more than a minute ago takes one more press, for each such price anew. */
export function useOldPrice(quote: Priced | undefined): OldPrice {
  const [askedAbout, setAskedAbout] = useState<string | null>(null)
  const text = quote === undefined ? null : oldPriceText(quote.priceAgeMs)
  const priceAt = quote?.priceAt ?? null
  const isAsked = text !== null && askedAbout === priceAt
  return {
    question: isAsked ? text : null,
    mayGoOn: () => {
      if (text === null || isAsked) return true
      setAskedAbout(priceAt)
      return false
    },
  }
}
