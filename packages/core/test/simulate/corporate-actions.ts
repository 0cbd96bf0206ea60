import { dailyLimits, floorToTick, kstDay } from '../../src/index.ts'
import type { Agenda } from './agenda.ts'
import type { Listed } from './broker-types.ts'
import type { Faults } from './faults.ts'
import type { Random } from './random.ts'

/** Nobody splits a share that is worth less. */
const MIN_WON = 5_000

/** What a morning brings to the stocks of the exchange: a base, limits, and now and then more shares of each. */
export class CorporateActions {
  /** Shares of bonus issues that are credited the next morning. */
  readonly #coming = new Map<string, number>()
  readonly #agenda: Agenda
  readonly #random: Random
  readonly #faults: Faults

  constructor({ agenda, random, faults }: { agenda: Agenda; random: Random; faults: Faults }) {
    this.#agenda = agenda
    this.#random = random
    this.#faults = faults
  }

  /** The base is yesterday's close, unless there are more shares: of a split at once, of a bonus issue the next day. */
  newDay(
    stocks: Iterable<Listed>,
    held: ReadonlyMap<string, number>,
    add: (code: string, count: number) => void,
  ): void {
    for (const [code, count] of this.#coming) add(code, count)
    this.#coming.clear()
    for (const stock of stocks) {
      const close = stock.price
      const factor = this.#factorOf(stock, held.get(stock.issue.code) ?? 0, add)
      if (factor > 1) stock.price = floorToTick(Math.ceil(close / factor), stock.issue.kind)
      stock.moved = factor > 1 ? { day: kstDay(this.#agenda.now), close, base: stock.price } : null
      stock.factor *= factor
      stock.band = dailyLimits(stock.price, stock.issue.kind)
    }
  }

  /** Shares after for each one before. */
  #factorOf(
    { issue: { code }, price, factor }: Listed,
    held: number,
    add: (code: string, count: number) => void,
  ): number {
    // One action a stock: nobody splits shares before those of the last bonus issue are there.
    if (price < MIN_WON || factor > 1) return 1
    if (this.#faults.strikes('split')) {
      const times = this.#random.pick([2, 5])
      add(code, held * (times - 1))
      return times
    }
    if (!this.#faults.strikes('bonusIssue')) return 1
    this.#coming.set(code, held)
    return 2
  }
}
