import type { Stock } from '@digger/contract'
import { averagePrice, averageTarget, type Lot, type Settings } from '@digger/core'

type Holding = Pick<Stock, 'remainCount' | 'remainAmount'>

/** All open lots of a stock as one: prices of the whole position need no more than their sums. */
const wholePosition = ({ remainCount, remainAmount }: Holding): Lot[] => [
  { id: 0, count: remainCount, buyPrice: 0, buyAmount: remainAmount, boughtAt: 0 },
]

/** Won per held share, rounded up; null when nothing is held. */
export const averagePriceOf = (stock: Holding): number | null => averagePrice(wholePosition(stock))

/** The price at which the whole position is offered under these settings; null when nothing is held. */
export const averageTargetOf = (stock: Holding & Pick<Stock, 'kind'>, settings: Settings): number | null =>
  averageTarget(wholePosition(stock), settings, stock.kind)
