import type { IssueKind } from '../krx/types.ts'
import type { Settings } from './types.ts'
import { ceilToTick } from '../krx/tick.ts'
import { buyPriceAfter, firstBuyPrice, roomBelowCap, sharesWithin } from './buy.ts'

export interface WorstCase {
  readonly buys: number
  /** Won these buys cost. */
  readonly amount: number
  readonly shares: number
  readonly lastPrice: number
}

/** Where a fall begins. */
interface Fall {
  /** Won already in open lots and live orders, which count against the cap. */
  readonly spent?: number
  /** The price that is there; unknown: the fall begins at the first price that buys. */
  readonly price?: number | null
}

export interface LadderBuy {
  readonly price: number
  readonly count: number
}

/**
 * The buys of a price that sinks to nothing, tick by tick and without a sale, from the reference in the settings. The first is at
 * the price that is there, where that is low enough: it is bought in the next second, and not at the higher price that was waited for.
 */
export function* fallingBuys(
  settings: Settings,
  kind: IssueKind,
  { spent = 0, price = null }: Fall = {},
): Generator<LadderBuy> {
  let room = roomBelowCap(settings, spent)
  let reference = settings.lastBuyPrice
  // A trade may lie off the grid; an order never does.
  const there = price === null ? Infinity : ceilToTick(price, kind)

  for (;;) {
    const next = Math.min(buyPriceAfter(settings, reference, kind) ?? 0, there)
    const at = firstBuyPrice(settings, next, room, kind)
    if (at <= 0) return
    const count = sharesWithin(settings, at, room)
    yield { price: at, count }
    room -= count * at
    reference = at
  }
}

/** All buys of such a fall together: the most the ladder spends. Null: it buys nothing. */
export function worstCase(settings: Settings, kind: IssueKind, fall: Fall = {}): WorstCase | null {
  const buys = [...fallingBuys(settings, kind, fall)]
  const last = buys.at(-1)
  if (last === undefined) return null
  const [amount, shares] = [sumOf(buys, ({ price, count }) => price * count), sumOf(buys, ({ count }) => count)]
  return { buys: buys.length, amount, shares, lastPrice: last.price }
}

const sumOf = (buys: readonly LadderBuy[], of: (buy: LadderBuy) => number): number =>
  buys.reduce((sum, buy) => sum + of(buy), 0)
