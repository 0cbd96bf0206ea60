import { dailyLimits, floorToTick, kstDay } from '../../src/index.ts'
import type { Agenda } from './agenda.ts'
import type { Listed } from './broker-types.ts'
import type { Faults } from './faults.ts'
import type { Random } from './random.ts'

/** Nobody splits a share that is worth less, and nobody merges one that is worth more, won. */
const MIN_WON = 5_000
const MAX_WON = 100_000

type Add = (code: string, count: number) => void

/** What a morning brings to the stocks of the exchange: a base, limits, and now and then another share in the place of each. */
export class CorporateActions {
  /** New shares that are credited on a later morning, or never within a run. */
  readonly #coming = new Map<string, { count: number; mornings: number }>()
  readonly #agenda: Agenda
  readonly #random: Random
  readonly #faults: Faults

  constructor({ agenda, random, faults }: { agenda: Agenda; random: Random; faults: Faults }) {
    this.#agenda = agenda
    this.#random = random
    this.#faults = faults
  }

  /** The base is yesterday's close, unless each share has become another one. */
  newDay(stocks: Iterable<Listed>, held: ReadonlyMap<string, number>, add: Add): void {
    this.#credit(add)
    for (const stock of stocks) {
      const { issue, price: close, band } = stock
      const factor = this.#factorOf(stock, held.get(issue.code) ?? 0, add)
      if (factor !== 1) stock.price = floorToTick(Math.ceil(close / factor), issue.kind)
      const move = { day: kstDay(this.#agenda.now), close, base: stock.price }
      // Where it was announced the ratio is known exactly.
      stock.moved = factor === 1 ? null : this.#random.chance(0.5) ? move : { ...move, ratio: factor }
      stock.factor *= factor
      stock.band = dailyLimits(stock.price, issue.kind)
      stock.late = this.#faults.strikes('limitsLate') ? this.#late(factor === 1 ? band : null) : null
    }
  }

  #credit(add: Add): void {
    for (const [code, coming] of this.#coming) {
      coming.mornings -= 1
      if (coming.mornings > 0) continue
      add(code, coming.count)
      this.#coming.delete(code)
    }
  }

  /** A moved base is never taken for yesterday's: a server sees that it is not the close, and asks again. */
  #late(before: Listed['band'] | null): Listed['late'] {
    const until = this.#agenda.now + this.#random.int(1, 66) * 60_000
    return { until, band: this.#random.chance(0.5) ? before : null }
  }

  /** Shares after for each one before. */
  #factorOf({ issue: { code }, price, factor }: Listed, held: number, add: Add): number {
    // One action a stock: nobody splits shares before those of the last bonus issue are there.
    if (factor !== 1) return 1
    if (price <= MAX_WON && this.#faults.strikes('merger')) {
      const into = this.#random.pick([2, 5])
      add(code, Math.floor(held / into) - held)
      return 1 / into
    }
    if (price < MIN_WON) return 1
    if (this.#faults.strikes('split')) {
      const times = this.#random.pick([2, 5])
      add(code, held * (times - 1))
      return times
    }
    if (!this.#faults.strikes('bonusIssue')) return 1
    this.#coming.set(code, { count: held, mornings: this.#random.int(1, 4) })
    return 2
  }
}
