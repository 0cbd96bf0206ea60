import { tickAbove, tickBelow, type IssueKind, type PriceBand, type Side } from '@digger/core'
import { unit } from '../runtime/random.ts'

export interface Level {
  readonly price: number
  readonly count: number
}

/** Levels the broker shows. */
export const LEVELS = 10

/** What the market itself offers of an issue: a best bid and ask a tick apart, and about `levelWon` at each price. */
export class Quotes {
  bid: number
  ask: number
  /** Nobody but clients offers anything. */
  isEmpty = false
  readonly #kind: IssueKind
  readonly #depthKey: number
  readonly #levelWon: number
  /** Shares clients took out of the levels since the last print. */
  readonly #taken = new Map<number, number>()
  #prints = 0

  constructor(base: number, kind: IssueKind, { depthKey, levelWon }: { depthKey: number; levelWon: number }) {
    this.#kind = kind
    this.#depthKey = depthKey
    this.#levelWon = levelWon
    this.ask = base
    this.bid = tickBelow(base, kind)
  }

  /** The market now quotes around a price: a buyer's trade happened at the ask, a seller's at the bid. */
  around(price: number, aggressor: Side): void {
    this.bid = aggressor === 'sell' ? price : tickBelow(price, this.#kind)
    this.ask = aggressor === 'buy' ? price : tickAbove(price, this.#kind)
    this.#taken.clear()
    this.#prints++
  }

  /** Best price an order of a side meets. */
  facing(side: Side): number {
    return side === 'buy' ? this.ask : this.bid
  }

  /** Shares offered at a price of the opposite side, refreshed now and then. */
  countAt(price: number): number {
    if (this.isEmpty) return 0
    const share = 0.3 + 1.4 * unit(this.#depthKey, price + (this.#prints >> 4) * 7_919)
    const count = Math.max(1, Math.floor((this.#levelWon * share) / price))
    return Math.max(0, count - (this.#taken.get(price) ?? 0))
  }

  take(price: number, count: number): void {
    this.#taken.set(price, (this.#taken.get(price) ?? 0) + count)
  }

  /** The next level away from the spread, for an order of a side. */
  beyond(price: number, side: Side): number {
    return side === 'buy' ? tickAbove(price, this.#kind) : tickBelow(price, this.#kind)
  }

  /** What an order of a side meets, best first; levels that were eaten are gone. */
  levels(facing: Side, { lower, upper }: PriceBand): Level[] {
    const levels: Level[] = []
    if (this.isEmpty) return levels
    for (
      let price = this.facing(facing);
      levels.length < LEVELS && price >= lower && price <= upper;
      price = this.beyond(price, facing)
    ) {
      const count = this.countAt(price)
      if (count > 0) levels.push({ price, count })
    }
    return levels
  }
}
