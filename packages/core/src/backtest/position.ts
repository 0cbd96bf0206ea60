import { brokerage, taxOf } from '../krx/cost.ts'
import { ceilToTick } from '../krx/tick.ts'
import type { IssueKind } from '../krx/types.ts'
import { buyPriceAfter, firstBuyPrice, referenceAfterBuy, roomBelowCap, sharesWithin } from '../ladder/buy.ts'
import { buyProblems, sellProblems } from '../ladder/problems.ts'
import { lotTarget, positionTarget, referenceAfterSale } from '../ladder/sell.ts'
import type { Settings } from '../ladder/types.ts'

/** One purchase or sale of a back-test. */
export interface TradeSink {
  bought(bar: number, price: number, count: number): void
  /** `gain`: what the sale realised after the costs of both sides, won. */
  sold(bar: number, price: number, count: number, gain: number): void
}

/**
 * The lots of one stock under the ladder's rules, in numbers: without an account, its orders and its sentences. Each order is
 * filled whole at one price. All amounts in won.
 */
export class Position {
  readonly #settings: Settings
  readonly #kind: IssueKind
  readonly #buysItself: boolean
  readonly #sellsItself: boolean
  readonly #sink: TradeSink | null
  /** Lots, the next to sell last: by falling target, among equal ones the older last. */
  readonly #targets: number[] = []
  readonly #prices: number[] = []
  readonly #counts: number[] = []
  #reference: number | null = null

  /** The highest price at which the next buy is made; 0: nowhere. */
  nextBuy = 0
  /** The lowest price that sells something. */
  nextSell = Infinity
  shares = 0
  /** What the shares cost. */
  cost = 0
  /** What was paid and received so far, costs included. */
  cash = 0

  buys = 0
  sells = 0
  gross = 0
  net = 0
  fees = 0
  tax = 0
  mostIn = 0

  constructor(settings: Settings, kind: IssueKind, sink: TradeSink | null) {
    this.#settings = settings
    this.#kind = kind
    this.#sink = sink
    this.#buysItself = settings.autoBuy && buyProblems(settings).length === 0
    this.#sellsItself = settings.autoSell && sellProblems(settings).length === 0
    this.#waitForBuy()
  }

  get lots(): number {
    return this.#counts.length
  }

  /** Buys at this price of the market, which `nextBuy` has to allow. */
  buy(bar: number, marketPrice: number): void {
    const price = ceilToTick(marketPrice, this.#kind)
    const count = sharesWithin(this.#settings, price, roomBelowCap(this.#settings, this.cost))
    const amount = price * count
    const fee = brokerage(amount)
    this.buys += 1
    this.fees += fee
    this.cash -= amount + fee
    this.shares += count
    this.cost += amount
    if (this.cost > this.mostIn) this.mostIn = this.cost
    this.#addLot(price, count)
    this.#reference = referenceAfterBuy(amount, count)
    this.#waitForBuy()
    this.#waitForSale()
    this.#sink?.bought(bar, price, count)
  }

  /**
   * The lowest price at which something sells that the exchange takes orders at. Infinity: nothing. Otherwise `nextSell`, but for days
   * that begin so far above a target that it lies under the day's limits.
   */
  saleFrom(lowest: number): number {
    if (this.nextSell >= lowest || this.#settings.autoSellWithAvgPrice)
      return this.nextSell >= lowest ? this.nextSell : Infinity
    return this.#targets.findLast((target) => target >= lowest) ?? Infinity
  }

  /** Sells what waits for `target`, at this price, under this rate of tax. */
  sell(bar: number, target: number, price: number, taxRate: number): void {
    if (this.#settings.autoSellWithAvgPrice) return this.#sellAll(bar, price, taxRate)
    const lot = target === this.nextSell ? this.#counts.length - 1 : this.#targets.lastIndexOf(target)
    const bought = this.#prices[lot] ?? 0
    const count = this.#counts[lot] ?? 0
    this.#dropLot(lot)
    const amount = bought * count
    this.#book(bar, price, count, amount, brokerage(amount), taxRate)
  }

  #sellAll(bar: number, price: number, taxRate: number): void {
    let buyFee = 0
    for (let lot = 0; lot < this.#counts.length; lot += 1)
      buyFee += brokerage((this.#prices[lot] ?? 0) * (this.#counts[lot] ?? 0))
    this.#targets.length = this.#prices.length = this.#counts.length = 0
    this.#book(bar, price, this.shares, this.cost, buyFee, taxRate)
  }

  /** `cost`: what the shares had cost; `buyFee`: the brokerage of buying them. */
  #book(bar: number, price: number, count: number, cost: number, buyFee: number, taxRate: number): void {
    const amount = price * count
    const fee = brokerage(amount)
    const tax = taxOf(amount, taxRate)
    const gain = amount - cost - buyFee - fee - tax
    this.sells += 1
    this.fees += fee
    this.tax += tax
    this.cash += amount - fee - tax
    this.gross += amount - cost
    this.net += gain
    this.shares -= count
    this.cost -= cost
    this.#reference = referenceAfterSale(this.#lowestPrice(), this.#settings, this.#reference, price)
    this.#waitForBuy()
    this.#waitForSale()
    this.#sink?.sold(bar, price, count, gain)
  }

  #addLot(price: number, count: number): void {
    const target = lotTarget(price, this.#settings, this.#kind)
    let at = this.#targets.length
    while (at > 0 && (this.#targets[at - 1] ?? 0) <= target) at -= 1
    if (at === this.#targets.length) {
      this.#targets.push(target)
      this.#prices.push(price)
      this.#counts.push(count)
      return
    }
    this.#targets.splice(at, 0, target)
    this.#prices.splice(at, 0, price)
    this.#counts.splice(at, 0, count)
  }

  #dropLot(lot: number): void {
    if (lot === this.#counts.length - 1) {
      this.#targets.pop()
      this.#prices.pop()
      this.#counts.pop()
      return
    }
    this.#targets.splice(lot, 1)
    this.#prices.splice(lot, 1)
    this.#counts.splice(lot, 1)
  }

  /** A lower price never has a higher target, so the lowest one is among the lots with the lowest target. */
  #lowestPrice(): number | null {
    let lot = this.#prices.length - 1
    if (lot < 0) return null
    const target = this.#targets[lot] ?? 0
    let least = this.#prices[lot] ?? 0
    for (lot -= 1; lot >= 0 && this.#targets[lot] === target; lot -= 1) least = Math.min(least, this.#prices[lot] ?? 0)
    return least
  }

  #waitForBuy(): void {
    if (!this.#buysItself) return
    const next = buyPriceAfter(this.#settings, this.#reference, this.#kind)
    this.nextBuy =
      next === null
        ? 0
        : Math.max(0, firstBuyPrice(this.#settings, next, roomBelowCap(this.#settings, this.cost), this.#kind))
  }

  #waitForSale(): void {
    if (!this.#sellsItself) return
    if (this.#settings.autoSellWithAvgPrice) {
      const { shares, cost } = this
      this.nextSell = shares === 0 ? Infinity : positionTarget(cost, shares, this.#settings, this.#kind)
    } else this.nextSell = this.#targets[this.#targets.length - 1] ?? Infinity
  }
}
