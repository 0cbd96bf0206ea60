import type { Stock } from '@digger/contract'
import { averagePrice, averageTarget, heldAmount, type Lot, type Settings } from '@digger/core'

type Holding = Pick<Stock, 'remainCount' | 'remainAmount'>

/** All open lots of a stock as one: prices of the whole position need no more than their sums. */
const wholePosition = ({ remainCount, remainAmount }: Holding): Lot[] => [
  { id: 0, count: remainCount, buyPrice: 0, buyAmount: remainAmount, boughtAt: 0 },
]

/** Won per held share, rounded up; null when nothing is held. */
export const averagePriceOf = (stock: Holding): number | null => averagePrice(wholePosition(stock))

/** Won that count against the cap: what the shares cost, those among them that are still to come. */
export const heldAmountOf = (stock: Holding & Pick<Stock, 'expected'>): number =>
  heldAmount({ lots: wholePosition(stock), expected: stock.expected })

/** What Digger may sell of it: trades that a correction brought wait for their person. */
export const sellable = ({ remainCount, remainAmount, takenOver }: Holding & Pick<Stock, 'takenOver'>): Holding => ({
  remainCount: remainCount - takenOver.count,
  remainAmount: remainAmount - takenOver.amount,
})

/** The price at which what may be sold is offered as a whole under these settings; null when that is nothing. */
export const averageTargetOf = (
  stock: Holding & Pick<Stock, 'kind' | 'takenOver'>,
  settings: Settings,
): number | null => averageTarget(wholePosition(sellable(stock)), settings, stock.kind)
