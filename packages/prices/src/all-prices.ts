import { isSameBase, type IssueStatus, type PricedBy } from '@digger/core'
import type { Tick } from '@digger/kis'
import type { IssueStatuses } from './issue-statuses.ts'
import type { KnownStatuses, LastPrice } from './observer.ts'
import type { Limits, PriceWaiter, Prices } from './prices.ts'
import type { PriceLine } from '@digger/kis'

/**
 * Every stock's prices as KRX trades it, as NXT does, and as both together do. An account decides by the trades that its orders
 * could meet; people see the latest.
 */
export class AllPrices {
  readonly #of: Readonly<Record<PricedBy, Prices>>

  readonly #statuses: IssueStatuses

  /** `statusesFor`: given what is to be done when what is known of a stock becomes other than it was. */
  constructor(make: () => Prices, statusesFor: (changed: (code: string) => void) => IssueStatuses) {
    this.#of = { KRX: make(), NXT: make(), UN: make() }
    this.#statuses = statusesFor((code) => this.#statusesChanged(code))
  }

  /** One designation on every venue. */
  #statusesChanged(code: string): void {
    const { statuses } = this.#statuses.of(code)
    for (const prices of this.#all) prices.designated(code, statuses)
  }

  statusesOf(code: string): KnownStatuses {
    return this.#statuses.of(code)
  }

  /** What came with KRX's price. */
  statusesRead(code: string, statuses: readonly IssueStatus[]): void {
    this.#statuses.wasRead(code, statuses)
  }

  of(market: PricedBy): Prices {
    return this.#of[market]
  }

  /** `line`: what brought the tick, where that is known. */
  tickReceived(tick: Tick, line: PriceLine | null = null): void {
    const prices = this.#of[tick.venue]
    // One base on every venue: a trade that shows another one than was read makes what the others know of it doubtful.
    if (tick.trade && tick.base > 0 && prices.isNews(tick.code, tick.base))
      for (const other of this.#all) if (other !== prices) other.doubt(tick.code)
    prices.tickReceived(tick, line)
    this.#statuses.tickReceived(tick)
  }

  last(code: string): LastPrice | null {
    return this.#all.reduce<LastPrice | null>((latest, prices) => {
      const last = prices.last(code)
      return latest === null || (last !== null && last.at > latest.at) ? last : latest
    }, null)
  }

  /** By the day's trades, else as it was read. Null where nothing of the day is known, or two of them differ: one is of another day. */
  dayBase(code: string, day: string): number | null {
    const known = this.#all.flatMap((prices) => prices.baseOf(code, day) ?? [])
    const traded = known.filter(({ isTraded }) => isTraded)
    const [first, ...others] = (traded.length > 0 ? traded : known).map(({ base }) => base)
    return first !== undefined && others.every((base) => isSameBase(base, first)) ? first : null
  }

  /** What was read of any stock on an earlier KST day holds no more. */
  beginDay(day: string, isOpen: boolean): void {
    this.#statuses.endOld()
    for (const prices of this.#all) prices.beginDay(day, isOpen)
  }

  /** Limits and base are KRX's on every venue. False: the day's trades of one have another base. */
  limitsRead(code: string, limits: Limits): boolean {
    const isTaken = this.#all.map((prices) => prices.limitsRead(code, limits)).every(Boolean)
    if (!isTaken) for (const prices of this.#all) prices.doubt(code)
    return isTaken
  }

  /** Whether the limits must be read again because a trade had another base; asked once. */
  takeRebased(code: string): boolean {
    return this.#all.map((prices) => prices.takeRebased(code)).some(Boolean)
  }

  /** A line that brings trades of these stocks was interrupted. */
  gap(codes: Iterable<string>): void {
    const all = [...codes]
    for (const prices of this.#all) prices.gap(all)
  }

  /** No price of these stocks from before has an age any more, whatever brought it. */
  forget(codes: Iterable<string>): void {
    const all = [...codes]
    for (const prices of this.#all) prices.forget(all)
  }

  /** Grows whenever something of any stock changes. */
  get changes(): number {
    return this.#all.reduce((sum, { changes }) => sum + changes, 0)
  }

  /** Grows whenever something of one of these stocks changes. */
  changesOf(codes: Iterable<string>): number {
    const all = [...codes]
    return this.#all.reduce((sum, prices) => sum + prices.changesOf(all), 0)
  }

  /** Whether a trade at this price would wake anybody. */
  concerns(code: string, price: number): boolean {
    return this.#all.some((prices) => prices.concerns(code, price))
  }

  /** Null takes the trigger away. Trades of any market wake: which of them counts changes with the hour. */
  setTrigger(waiter: PriceWaiter, code: string, wakePrice: number | null): void {
    for (const prices of this.#all) prices.setTrigger(waiter, code, wakePrice)
  }

  get #all(): readonly Prices[] {
    return Object.values(this.#of)
  }
}
