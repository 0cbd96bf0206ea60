import type { IssueKind } from '../krx/types.ts'
import type { Settings } from './types.ts'
import { floorToTick } from '../krx/tick.ts'
import { nextBuyPrice, sharesPerBuy } from './buy.ts'

export interface WorstCase {
  readonly buys: number
  /** Won these buys cost. */
  readonly amount: number
  readonly shares: number
  readonly lastPrice: number
}

/**
 * The most the ladder buys when the price sinks to nothing, tick by tick and without a sale, from the reference in the
 * settings. `spent`: won already in open lots and live orders, which count against the cap. Null: it buys nothing.
 */
export function worstCase(settings: Settings, kind: IssueKind, spent = 0): WorstCase | null {
  const unit = settings.buyUnitPrice ?? 0
  const affordable = unit === 1 ? Infinity : unit
  let room = (settings.maxBuyAmount ?? 0) - spent
  let reference = settings.lastBuyPrice
  let worst: WorstCase = { buys: 0, amount: 0, shares: 0, lastPrice: 0 }

  for (;;) {
    const next = nextBuyPrice({ ...settings, lastBuyPrice: reference }, kind) ?? 0
    // Where one share costs more than the unit or the room, the buy waits until the price has sunk that far.
    const price = floorToTick(Math.min(next, room, affordable), kind)
    if (price <= 0) return worst.buys > 0 ? worst : null

    const count = Math.min(sharesPerBuy(settings, price), Math.floor(room / price))
    room -= count * price
    reference = price
    worst = {
      buys: worst.buys + 1,
      amount: worst.amount + count * price,
      shares: worst.shares + count,
      lastPrice: price,
    }
  }
}
