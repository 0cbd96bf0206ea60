import type { Stock } from '@digger/contract'

type Reason = Stock['reasons'][number]

/** The one line of a card: what kept a buy from happening, or else why one happened. */
export const mainReason = (reasons: readonly Reason[]): Reason | undefined => {
  const buys = reasons.filter(({ side }) => side === 'buy')
  return buys.find(({ ok }) => !ok) ?? buys[0]
}

/** 왜 샀나, 왜 안 샀나, 왜 파나, 왜 안 파나. */
export const titleOf = ({ side, ok }: Reason): string =>
  side === 'buy' ? (ok ? '왜 샀나' : '왜 안 샀나') : ok ? '왜 파나' : '왜 안 파나'
