import { isSameBase, withPast, type BaseMove, type ChartClose, type PriceBand, type Quote } from '@digger/core'
import type { Clock } from '@digger/database'
import { ALWAYS, type Entry, unseen } from './entry.ts'
import type { LastPrice, PricesObserver } from './observer.ts'
import { judgeByChart, type BaseJudge } from './base-move.ts'
import { isOld, OLD_MS, type PriceLine, type Trade, wasThere } from '@digger/kis'

/**
 * What the broker said of a stock's day. `chart`: what its chart closed with the trading day before, or on an earlier one;
 * null: not asked. `past`: what became of the share on earlier days that nobody saw.
 */
export interface Limits {
  readonly day: string
  readonly band: PriceBand
  readonly base: number
  readonly chart: Omit<ChartClose, 'day'> | null
  readonly past?: BaseMove | null
  /** KRX's last price: known on a venue where nobody has traded yet. */
  readonly price?: number
}

/** Whoever waits for a price: the mailbox of an account. */
export interface PriceWaiter {
  wake(code: string): void
}

interface Trigger {
  readonly waiter: PriceWaiter
  readonly wakePrice: number
}

/**
 * Last trades of every stock, shared by all accounts of this process, and who wants to be woken at which price.
 * Triggers are sorted, so that a price that concerns nobody costs one comparison however many users hold the stock.
 */
export class Prices {
  readonly #entries = new Map<string, Entry>()
  #changes = 0
  /** Highest wake price first. */
  readonly #triggers = new Map<string, Trigger[]>()
  readonly #observer: PricesObserver
  readonly #clock: Clock
  readonly #judge: BaseJudge
  /** Stocks whose trades have another base than was read. */
  readonly #rebased = new Set<string>()
  #day = ''
  #isOpen = false

  constructor(observer: PricesObserver, clock: Clock, judge: BaseJudge = judgeByChart) {
    this.#observer = observer
    this.#clock = clock
    this.#judge = judge
  }

  quote(code: string): Quote | undefined {
    const entry = this.#entries.get(code)
    return entry === undefined || entry.price === 0 ? undefined : entry
  }

  /** For people: a price that was only read counts from its reading, a trade from itself. */
  last(code: string): LastPrice | null {
    const entry = this.#entries.get(code)
    if (entry === undefined || entry.price === 0) return null
    return { price: entry.price, at: entry.shownAt }
  }

  /** The day's base, where it is known, and whether a trade said so. */
  baseOf(code: string, day: string): { readonly base: number; readonly isTraded: boolean } | null {
    const { base = null, tradedBase = null } = (day === this.#day && this.#entries.get(code)) || {}
    return base === null ? null : { base: tradedBase ?? base, isTraded: tradedBase !== null }
  }

  /**
   * A tick: it is as old as its arrival. Expected prices of an auction are no trades and decide nothing. What another account's socket has
   * brought before counts once, and never in place of a later trade: else a thousand accounts with the same stock are woken a thousand
   * times by each, and do nothing else. After a gap the first only re-bases, unless its line was there all the time.
   */
  tickReceived(tick: Trade, line: PriceLine | null = null): void {
    const { code, price, halted, trade, base } = tick
    if (!trade) return
    const entry = this.#entry(code)
    const now = this.#clock.now()
    if (isOld(entry, tick, now)) return
    entry.newest = tick
    if (base > 0) {
      if (entry.base === null || !isSameBase(base, entry.base)) this.#rebase(code, entry, base)
      entry.tradedBase = base
    }
    entry.price = price
    entry.at = now
    entry.shownAt = now
    entry.halted = halted
    entry.live = entry.gapAt === null || wasThere(line, tick, entry.gapAt)
    entry.gapAt = null
    this.#changed(entry)
    // Accounts first: what screens make of a price must never stand before an order.
    for (const trigger of (entry.live && this.#triggers.get(code)) || []) {
      if (trigger.wakePrice < price) break
      trigger.waiter.wake(code)
    }
    this.#observer.priceChanged(code)
  }

  /** A trade knows the day's base: what was read before it is of another day, or of none. */
  #rebase(code: string, entry: Entry, base: number): void {
    if (entry.base !== null) {
      entry.band = null
      this.#rebased.add(code)
    }
    entry.base = base
    entry.moved = this.#judge(code, base)
  }

  /** Whether the limits must be read again because a trade had another base; asked once. */
  takeRebased(code: string): boolean {
    return this.#rebased.delete(code)
  }

  /**
   * What was read of any stock on an earlier KST day holds no more. `isOpen`: KRX opens within a minute or has opened. What is read
   * from then on is of the day, so trades of before have no more say about the base.
   */
  beginDay(day: string, isOpen = false): void {
    const isNew = day !== this.#day
    if (!isNew && isOpen === this.#isOpen) return
    this.#day = day
    this.#isOpen = isOpen
    for (const entry of this.#entries.values()) {
      entry.tradedBase = null
      if (!isNew) continue
      entry.newest = null
      entry.band = null
      entry.base = null
      entry.moved = undefined
      entry.isDoubted = false
      this.#changed(entry)
    }
  }

  /** Whether the day's trades have another base, so that one of the two is of another day. */
  contradicts(code: string, base: number): boolean {
    const traded = this.#entries.get(code)?.tradedBase ?? null
    return traded !== null && !isSameBase(base, traded)
  }

  /** Whether a trade with this base shows another one than is known. */
  isNews(code: string, base: number): boolean {
    const known = this.#entries.get(code)?.base ?? null
    return known !== null && !isSameBase(base, known)
  }

  /** That the base has not moved is not sure any more. */
  doubt(code: string): void {
    const entry = this.#entries.get(code)
    if (entry === undefined || entry.isDoubted) return
    entry.isDoubted = true
    if (entry.moved === null) entry.moved = undefined
    this.#changed(entry)
  }

  /**
   * The day's limits and base, read from the broker. False: they contradict the day's trades; nothing is taken over then.
   */
  limitsRead(code: string, limits: Limits): boolean {
    const { day, band, base, chart, past = null, price = 0 } = limits
    if (this.contradicts(code, base)) return false
    const entry = this.#entry(code)
    entry.band = band
    entry.base = base
    entry.isDoubted = false
    if (entry.price === 0) [entry.price, entry.shownAt] = [price, this.#clock.now()]
    entry.moved = withPast(this.#judge(code, base, chart === null ? undefined : { day, ...chart }), past)
    this.#changed(entry)
    return true
  }

  /** A price that was read; it never triggers a buy. */
  wasRead(code: string, price: number, halted: boolean): void {
    const entry = this.#entry(code)
    const now = this.#clock.now()
    entry.halted = halted
    if (now - entry.at > OLD_MS) {
      entry.price = price
      entry.shownAt = now
    }
    this.#changed(entry)
    this.#observer.priceChanged(code)
  }

  designated(code: string, statuses: NonNullable<Quote['statuses']>): void {
    const entry = this.#entry(code)
    entry.statuses = statuses.length === 0 ? undefined : statuses
    this.#changed(entry)
  }

  /** A line that brings trades of these stocks was interrupted. */
  gap(codes: Iterable<string>): void {
    const now = performance.now()
    for (const code of codes) this.#entry(code).gapAt ??= now
  }

  /** No trade of these stocks from before has an age any more, whatever line brought it. */
  forget(codes: Iterable<string>): void {
    for (const code of codes) this.#entry(code).gapAt = ALWAYS
  }

  /** Grows whenever something of any stock changes. */
  get changes(): number {
    return this.#changes
  }

  /** Grows whenever something of one of these stocks changes. */
  changesOf(codes: Iterable<string>): number {
    let sum = 0
    for (const code of codes) sum += this.#entries.get(code)?.changes ?? 0
    return sum
  }

  #changed(entry: Entry): void {
    entry.changes += 1
    this.#changes += 1
  }

  /** Whether a trade at this price would wake anybody. */
  concerns(code: string, price: number): boolean {
    return (this.#triggers.get(code)?.[0]?.wakePrice ?? Number.NEGATIVE_INFINITY) >= price
  }

  /** Null takes the trigger away. */
  setTrigger(waiter: PriceWaiter, code: string, wakePrice: number | null): void {
    const triggers = this.#triggers.get(code) ?? []
    const old = triggers.findIndex((trigger) => trigger.waiter === waiter)
    if (old >= 0) triggers.splice(old, 1)
    if (wakePrice !== null) triggers.splice(placeOf(triggers, wakePrice), 0, { waiter, wakePrice })
    this.#triggers.set(code, triggers)
  }

  #entry(code: string): Entry {
    let entry = this.#entries.get(code)
    if (entry === undefined) {
      entry = unseen()
      this.#entries.set(code, entry)
    }
    return entry
  }
}

function placeOf(triggers: readonly Trigger[], wakePrice: number): number {
  let low = 0
  let high = triggers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((triggers[middle]?.wakePrice ?? 0) > wakePrice) low = middle + 1
    else high = middle
  }
  return low
}
