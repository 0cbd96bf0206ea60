import { BAR, type Bars } from './bars.ts'
import type { Position } from './position.ts'

/** Takes a position through the prices of one bar: open, one extreme, the other, close, tick by tick. */
export class Walk {
  readonly #bars: Bars
  readonly #position: Position
  #bar = 0
  #lowest = 0
  #taxRate = 0
  /** What the shares held are worth beyond their cost where the bar is lowest, won. */
  openGain = 0

  constructor(bars: Bars, position: Position) {
    this.#bars = bars
    this.#position = position
  }

  through(bar: number, lowFirst: boolean): void {
    const bars = this.#bars
    // One by one: taking an array apart costs more than the walk.
    const o = bars.open[bar] ?? 0
    const h = bars.high[bar] ?? 0
    const l = bars.low[bar] ?? 0
    const c = bars.close[bar] ?? 0
    const flag = bars.flags[bar] ?? 0
    this.#bar = bar
    this.#lowest = bars.lowest[bar] ?? 0
    this.#taxRate = bars.taxRates[bars.day[bar] ?? 0] ?? 0
    const isAuction = (flag & BAR.auction) !== 0
    // Between two bars the market jumps: what waits at prices in between fills, and nobody buys there.
    this.#sellUpTo(o, isAuction || (flag & BAR.opensDay) !== 0 ? o : 0, 0)
    if (isAuction) return this.#measure(o)
    this.#buyAt(o)
    if (lowFirst) {
      this.#fall(o, l, false)
      this.#measure(l)
      this.#rise(h)
    } else {
      this.#rise(h)
      this.#fall(h, l, false)
      this.#measure(l)
    }
    const closesDay = (flag & BAR.closesDay) !== 0
    if (lowFirst) this.#fall(h, c, closesDay)
    else this.#rise(c, closesDay)
  }

  #measure(price: number): void {
    this.openGain = this.#position.shares * price - this.#position.cost
  }

  /** The market stands at this price, and has not been bought at. */
  #buyAt(price: number): void {
    if (price <= this.#position.nextBuy) this.#position.buy(this.#bar, price)
  }

  /** Down to a price, which itself is not bought at where it is that of the closing auction. */
  #fall(from: number, to: number, isAuction: boolean): void {
    const position = this.#position
    if (to >= from) return
    const least = isAuction ? to + 1 : to
    while (position.nextBuy >= least) position.buy(this.#bar, position.nextBuy)
  }

  #rise(to: number, isAuction = false): void {
    this.#sellUpTo(to, 0, isAuction ? to - 1 : to)
  }

  /**
   * Sells what waits for this price or less: at `single`, the price of an auction, or each at its own. A sale may lift the reference
   * to where the market is cheap already: up to `buysTo` that is bought at once.
   */
  #sellUpTo(price: number, single: number, buysTo: number): void {
    const position = this.#position
    for (let target = position.saleFrom(this.#lowest); target <= price; target = position.saleFrom(this.#lowest)) {
      const at = single === 0 ? target : single
      position.sell(this.#bar, target, at, this.#taxRate)
      if (at <= buysTo) this.#buyAt(at)
    }
  }
}
