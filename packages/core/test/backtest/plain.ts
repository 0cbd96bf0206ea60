/**
 * What a back-test comes to, computed again from the rules as they are written down, price after price: no code of the ladder and
 * none of the back-test. Slow and plain on purpose.
 */
export interface PlainSettings {
  readonly maxBuyPrice: number
  readonly maxBuyAmount: number
  readonly buyUnitPrice: number
  /** Hundredths of a percent, negative: −150 buys 1.5 % lower. */
  readonly stepDown: number
  /** Hundredths of a percent. */
  readonly stepUp: number
  readonly minSellPrice: number | null
  readonly average: boolean
  readonly recover: boolean
}

export interface PlainBar {
  readonly day: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly lowFirst: boolean
  /** A whole day, or a minute of one: the first of a day begins with the opening auction, an `auction` is one trade. */
  readonly is: 'day' | 'first' | 'minute' | 'auction'
  readonly lowest: number
  readonly taxRate: number
}

/** Dearer than the tick of its price, in won. */
export function plainTick(price: number): number {
  if (price < 2_000) return 1
  if (price < 5_000) return 5
  if (price < 20_000) return 10
  if (price < 50_000) return 50
  if (price < 200_000) return 100
  return price < 500_000 ? 500 : 1_000
}

const up = (price: number): number => Math.ceil(price / plainTick(price)) * plainTick(price)
const down = (price: number): number => Math.floor(price / plainTick(price)) * plainTick(price)
const HUNDRED = 10_000
const fee = (amount: number): number => Math.floor((amount * 15) / 100_000)

interface PlainLot {
  readonly price: number
  readonly count: number
}

/** `only`: what rests fills at its own price and nothing is bought; `auction`: at this price. */
interface Print {
  readonly price: number
  readonly kind: 'auction' | 'jump' | 'trade' | 'last'
}

function* between(from: number, to: number): Generator<number> {
  if (to > from) for (let p = up(from + 1); p < to; p = up(p + 1)) yield p
  else for (let p = down(from - 1); p > to; p = down(p - 1)) yield p
}

function printsOf(bar: PlainBar): Print[] {
  const { open, high, low, close, is } = bar
  if (is === 'auction') return [{ price: open, kind: 'last' }]
  const prints: Print[] = [{ price: open, kind: is === 'minute' ? 'jump' : 'auction' }]
  const corners = bar.lowFirst ? [low, high, close] : [high, low, close]
  let from = open
  corners.forEach((to, corner) => {
    for (const price of between(from, to)) prints.push({ price, kind: 'trade' })
    prints.push({ price: to, kind: is === 'day' && corner === 2 ? 'last' : 'trade' })
    from = to
  })
  return prints
}

export class PlainAccount {
  readonly #settings: PlainSettings
  #lots: PlainLot[] = []
  #reference: number | null = null
  buys = 0
  sells = 0
  gross = 0
  net = 0
  paid = 0
  mostIn = 0
  worst = 0
  #tradeDays: number[] = []

  constructor(settings: PlainSettings) {
    this.#settings = settings
  }

  get cost(): number {
    return this.#lots.reduce((won, { price, count }) => won + price * count, 0)
  }

  get shares(): number {
    return this.#lots.reduce((all, { count }) => all + count, 0)
  }

  get lots(): number {
    return this.#lots.length
  }

  trade(bars: readonly PlainBar[]): void {
    for (const bar of bars) {
      let isMeasured = false
      for (const { price, kind } of printsOf(bar)) {
        this.#sell(bar, price, kind)
        if (kind !== 'last') this.#buy(bar, price)
        // The worst is where the bar is lowest: once, when it has come there.
        if (!isMeasured && price === bar.low && this.#isAtLow(bar, kind)) {
          this.worst = Math.min(this.worst, this.shares * price - this.cost)
          isMeasured = true
        }
      }
    }
  }

  longestWait(lastDay: number): number {
    const days = [0, ...this.#tradeDays, lastDay]
    return Math.max(...days.map((day, at) => day - (days[at - 1] ?? day)))
  }

  /** With the high first, a low that is also the open counts when the fall has come back to it. */
  #isAtLow({ is, lowFirst, open, high, low }: PlainBar, kind: Print['kind']): boolean {
    if (is === 'auction') return true
    if (open !== low || lowFirst || high === low) return kind === 'trade' || open === low
    return kind === 'trade'
  }

  #target(price: number): number {
    const { stepUp, minSellPrice } = this.#settings
    return up(Math.max(Math.ceil((price * (HUNDRED + stepUp)) / HUNDRED), minSellPrice ?? 0))
  }

  #sell(bar: PlainBar, price: number, kind: Print['kind']): void {
    for (;;) {
      const offers = this.#settings.average ? this.#whole() : this.#each()
      const [first] = offers
        .filter(({ target }) => target <= price && target >= bar.lowest)
        .sort((a, b) => a.target - b.target)
      if (first === undefined) return
      const isSingle = kind === 'auction' || bar.is === 'auction'
      this.#close(bar, first.lots, isSingle ? price : first.target)
    }
  }

  #each() {
    return this.#lots.map((lot) => ({ lots: [lot], target: this.#target(lot.price) }))
  }

  #whole() {
    const { shares, cost } = this
    return shares === 0 ? [] : [{ lots: this.#lots, target: this.#target(Math.ceil(cost / shares)) }]
  }

  #close(bar: PlainBar, lots: readonly PlainLot[], price: number): void {
    const count = lots.reduce((all, lot) => all + lot.count, 0)
    const cost = lots.reduce((won, lot) => won + lot.price * lot.count, 0)
    const fees = lots.reduce((won, lot) => won + fee(lot.price * lot.count), 0) + fee(price * count)
    const tax = Math.floor((price * count * bar.taxRate) / 100_000)
    this.#lots = this.#lots.filter((lot) => !lots.includes(lot))
    this.sells += 1
    this.gross += price * count - cost
    this.net += price * count - cost - fees - tax
    this.paid += price * count - fee(price * count) - tax
    if (this.#settings.recover)
      this.#reference = this.#lots.length === 0 ? price : Math.min(...this.#lots.map((lot) => lot.price))
    this.#tradeDays.push(bar.day)
  }

  #next(): number {
    const { maxBuyPrice, stepDown } = this.#settings
    if (this.#reference === null) return down(maxBuyPrice)
    const step = Math.floor((this.#reference * (HUNDRED + stepDown)) / HUNDRED)
    const tickLower = this.#reference - plainTick(this.#reference - 1)
    return down(Math.min(maxBuyPrice, step, tickLower))
  }

  #buy(bar: PlainBar, price: number): void {
    if (price > this.#next()) return
    const at = up(price)
    const { buyUnitPrice, maxBuyAmount } = this.#settings
    const wanted = buyUnitPrice === 1 ? 1 : Math.floor(buyUnitPrice / at)
    const count = Math.min(wanted, Math.floor((maxBuyAmount - this.cost) / at))
    if (count < 1) return
    this.#lots.push({ price: at, count })
    this.buys += 1
    this.paid -= at * count + fee(at * count)
    this.mostIn = Math.max(this.mostIn, this.cost)
    this.#reference = at
    this.#tradeDays.push(bar.day)
  }
}
