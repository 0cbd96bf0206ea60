import type { FilledFact } from './facts.ts'

interface DayTrades {
  buyCount: number
  buyAmount: number
  sellCount: number
  sellAmount: number
}

export interface Position {
  readonly code: string
  count: number
  /** Won paid for the shares held, without costs. */
  cost: number
  today: DayTrades
  before: DayTrades
  /** A sold-out row stays in the balance until this day, when its sale settles. */
  keepUntil: string
}

interface DayMoney {
  buyAmount: number
  sellAmount: number
  costs: number
}

const noTrades = (): DayTrades => ({ buyCount: 0, buyAmount: 0, sellCount: 0, sellAmount: 0 })
const noMoney = (): DayMoney => ({ buyAmount: 0, sellAmount: 0, costs: 0 })

/** Shares and money of one account. Money of a trade moves on its settlement day; until then it waits in `pending`. */
export class Holdings {
  /** Settled won: the deposit of today (D+0). */
  deposit: number
  readonly pending = new Map<string, number>()
  readonly positions = new Map<string, Position>()
  today = noMoney()
  before = noMoney()

  constructor(cash: number) {
    this.deposit = cash
  }

  /** Won after everything due by `day` has settled; without a day, after everything. */
  cash(day = '99999999'): number {
    let sum = this.deposit
    for (const [due, won] of this.pending) if (due <= day) sum += won
    return sum
  }

  count(code: string): number {
    return this.positions.get(code)?.count ?? 0
  }

  /** Won paid for so many of the shares held, on the average. */
  costOf(code: string, count: number): number {
    const { count: held = 0, cost = 0 } = this.positions.get(code) ?? {}
    return held > 0 ? (cost * count) / held : 0
  }

  set(code: string, count: number, averagePrice: number): void {
    const position = this.#position(code)
    position.count = count
    position.cost = count * averagePrice
  }

  /** Shares come or go, `cost` won are paid for them, and the rest costs what it cost. */
  credit(code: string, count: number, cost: number): void {
    const position = this.#position(code)
    position.count += count
    position.cost = position.count === 0 ? 0 : position.cost + cost
    if (position.count === 0 && position.keepUntil === '') this.positions.delete(code)
  }

  /** Applies a fill and returns the cost of the shares sold (0 for a buy). */
  fill({ code, side, price, count, fee, tax, settles }: FilledFact): number {
    const position = this.#position(code)
    const amount = price * count
    this.today.costs += fee + tax
    if (side === 'buy') {
      position.count += count
      position.cost += amount
      position.today.buyCount += count
      position.today.buyAmount += amount
      this.today.buyAmount += amount
      this.#due(settles, -amount - fee - tax)
      return 0
    }
    const cost = this.costOf(code, count)
    position.count -= count
    position.cost = position.count === 0 ? 0 : position.cost - cost
    position.keepUntil = settles
    position.today.sellCount += count
    position.today.sellAmount += amount
    this.today.sellAmount += amount
    this.#due(settles, amount - fee - tax)
    return cost
  }

  beginDay(day: string): void {
    for (const [due, won] of this.pending) {
      if (due > day) continue
      this.deposit += won
      this.pending.delete(due)
    }
    this.before = this.today
    this.today = noMoney()
    for (const position of this.positions.values()) {
      position.before = position.today
      position.today = noTrades()
      if (position.count === 0 && position.keepUntil <= day) this.positions.delete(position.code)
    }
  }

  #due(day: string, won: number): void {
    this.pending.set(day, (this.pending.get(day) ?? 0) + won)
  }

  #position(code: string): Position {
    let position = this.positions.get(code)
    if (!position) {
      position = { code, count: 0, cost: 0, today: noTrades(), before: noTrades(), keepUntil: '' }
      this.positions.set(code, position)
    }
    return position
  }
}
