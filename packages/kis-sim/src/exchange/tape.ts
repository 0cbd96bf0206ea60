import { kstTime } from '@digger/core'

/** One trade of the market. */
export interface Print {
  readonly price: number
  readonly count: number
  /** Who crossed the spread. */
  readonly aggressor: 'buy' | 'sell'
  readonly at: number
  /** Shares this trade has for waiting orders at its price, where that differs from `count`. */
  readonly reach?: number
}

export interface MinuteBar {
  /** `HHMM00` KST. */
  readonly time: string
  open: number
  high: number
  low: number
  close: number
  count: number
  /** Cumulative turnover of the day at its end, won. */
  dayAmount: number
}

/** The last trades the broker lists. */
const RECENT = 30

/** What one venue printed today. Prices are 0 before its first trade, except `last`. */
export class Tape {
  base: number
  last: number
  open = 0
  high = 0
  low = 0
  volume = 0
  amount = 0
  buyTrades = 0
  sellTrades = 0
  buyVolume = 0
  sellVolume = 0
  openTime = '000000'
  highTime = '000000'
  lowTime = '000000'
  volumeBefore = 0
  readonly recent: Print[] = []
  readonly minutes: MinuteBar[] = []

  constructor(base: number) {
    this.base = base
    this.last = base
  }

  add(print: Print): void {
    const { price, count } = print
    const time = kstTime(print.at)
    if (this.volume === 0) {
      this.open = price
      this.openTime = time
    }
    if (price > this.high) {
      this.high = price
      this.highTime = time
    }
    if (price < this.low || this.low === 0) {
      this.low = price
      this.lowTime = time
    }
    this.last = price
    this.volume += count
    this.amount += price * count
    if (print.aggressor === 'buy') {
      this.buyTrades++
      this.buyVolume += count
    } else {
      this.sellTrades++
      this.sellVolume += count
    }
    this.recent.push(print)
    if (this.recent.length > RECENT) this.recent.shift()
    this.#minute(`${time.slice(0, 4)}00`, print)
  }

  /** The numbers of the day, to be saved over a restart; single trades and minutes are not saved. */
  toJSON(): Record<string, number | string> {
    const numbers = Object.entries(this).filter((entry) => typeof entry[1] !== 'object')
    return Object.fromEntries(numbers)
  }

  restore(numbers: Record<string, number | string>): void {
    Object.assign(this, numbers)
  }

  beginDay(base: number): void {
    this.volumeBefore = this.volume
    this.base = base
    this.last = base
    this.open = this.high = this.low = this.volume = this.amount = 0
    this.buyTrades = this.sellTrades = this.buyVolume = this.sellVolume = 0
    this.openTime = this.highTime = this.lowTime = '000000'
    this.recent.length = 0
    this.minutes.length = 0
  }

  #minute(time: string, { price, count }: Print): void {
    let bar = this.minutes.at(-1)
    if (bar?.time !== time) {
      bar = { time, open: price, high: price, low: price, close: price, count: 0, dayAmount: 0 }
      this.minutes.push(bar)
    }
    bar.high = Math.max(bar.high, price)
    bar.low = Math.min(bar.low, price)
    bar.close = price
    bar.count += count
    bar.dayAmount = this.amount
  }
}
