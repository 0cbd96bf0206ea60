import { kstDay, kstInstant } from '@digger/core'
import { ORD_DVSN } from '@digger/kis'
import type { SimClock } from '../runtime/clock.ts'
import type { SimOrder } from '../ledger/account.ts'
import type { Reduction } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Listing } from './universe.ts'
import type { MarketHours, MarketPhase } from './market-hours.ts'
import { SimIssue } from './issue.ts'
import type { MarketAnswers } from './market-assumptions.ts'
import type { MarketListener } from './listener.ts'
import type { VenueName } from './venue.ts'
import { matchesFor, touchedBy } from './matching.ts'
import { divisionOf, limitOf } from './order-limit.ts'
import type { Print } from './tape.ts'

interface ExchangeOptions {
  readonly clock: SimClock
  readonly ledger: Ledger
  readonly hours: MarketHours
  readonly listings: readonly Listing[]
  readonly seed: number
  /** Won the market offers at each price level. */
  readonly levelWon: number
  /** Ms between the broker's acceptance and the exchange. */
  readonly delay: () => number
  readonly assumed: MarketAnswers
  /** The exchange turns down an order the broker took. */
  readonly rejects: (order: SimOrder) => boolean
}

/** Matches orders with each other and with the market, on two venues. */
export class Exchange {
  readonly issues: ReadonlyMap<string, SimIssue>
  readonly options: ExchangeOptions
  readonly #listeners: MarketListener[] = []
  /** Stop-limit orders that wait for their trigger, by code. */
  readonly #stops = new Map<string, Set<SimOrder>>()

  constructor(options: ExchangeOptions) {
    this.options = options
    this.issues = new Map(
      options.listings.map((listing) => [
        listing.code,
        new SimIssue(listing, { ...options, venuePrices: options.assumed.answers.venuePrices }),
      ]),
    )
  }

  listen(listener: MarketListener): void {
    this.#listeners.push(listener)
  }

  get now(): number {
    return this.options.clock.now()
  }

  issue(code: string): SimIssue {
    const issue = this.issues.get(code)
    if (!issue) throw new Error(`no issue ${code} is listed here`)
    return issue
  }

  phase(venue: VenueName): MarketPhase {
    return this.options.hours.phaseAt(venue, this.now)
  }

  /** What an issue can do on a venue now. NXT lists some, KRX's after-market others; an interruption only collects. */
  phaseOf(issue: SimIssue, venue: VenueName): MarketPhase {
    const phase = this.phase(venue)
    const closed = { name: 'closed', matching: 'closed' } as const
    if (venue === 'NXT' && (!issue.status.onNxt || issue.status.stoppedOnNxt)) return closed
    if (venue === 'KRX' && phase.name === 'afterMarket' && !issue.status.inAfterMarket) return closed
    const collects = phase.matching === 'continuous' && issue.collectsOn(venue, phase.name)
    return collects ? { ...phase, matching: 'auction' } : phase
  }

  trading(issue: SimIssue, venue: VenueName): boolean {
    return !issue.status.standsStill && this.phaseOf(issue, venue).matching === 'continuous'
  }

  isOpenDay(): boolean {
    return this.options.hours.isOpenDay(kstDay(this.now))
  }

  /** Trades of the market itself: they go on the tape, then reach the orders that wait. */
  market(issue: SimIssue, venue: VenueName, prints: readonly Print[]): void {
    issue.expected = null
    for (const print of prints) {
      issue.quotes[venue].around(print.price, print.aggressor)
      this.#print(issue, venue, print)
    }
    this.#notify((l) => l.settled?.(issue, venue))
    for (const print of prints) {
      for (const { order, price, count } of touchedBy(issue, venue, print.price, print.reach ?? print.count)) {
        this.#fill(issue, order, price, count)
      }
      this.#trigger(issue, print.price)
    }
    this.#notify((l) => l.quoted?.(issue, venue))
  }

  /** The market's quotes move, and nobody trades. */
  requote(issue: SimIssue, venue: VenueName, price: number): void {
    issue.quotes[venue].around(price, 'buy')
    this.#notify((l) => l.quoted?.(issue, venue))
  }

  /** A price nobody traded at: the quotes move, and listeners see the price an auction would give. */
  indicate(issue: SimIssue, venue: VenueName, print: Print): void {
    issue.quotes[venue].around(print.price, print.aggressor)
    issue.expected = { price: print.price, count: print.count }
    this.#notify((l) => l.printed?.(issue, venue, print, true))
    this.#notify((l) => l.settled?.(issue, venue))
    this.#notify((l) => l.quoted?.(issue, venue))
  }

  /** Everyone trades at one price: buyers at or above it, sellers at or below; at the close conditional limits too. */
  cross(issue: SimIssue, venue: VenueName, price: number, marketCount: number, closing = false): void {
    const book = issue.books[venue]
    const taking = book.all().filter((order) => {
      const limit = book.limit(order)
      if (closing && order.division === ORD_DVSN.conditionalLimit) return true
      return order.side === 'buy' ? limit >= price : limit <= price
    })
    const count = marketCount + taking.reduce((sum, order) => sum + order.remaining, 0)
    issue.quotes[venue].around(price, 'buy')
    issue.expected = null
    if (count > 0) this.#print(issue, venue, { price, count, aggressor: 'buy', at: this.now })
    this.#notify((l) => l.settled?.(issue, venue))
    for (const order of taking) this.#fill(issue, order, price, order.remaining)
    this.#notify((l) => l.quoted?.(issue, venue))
  }

  /** Sends an accepted order, modification or cancellation on its way to the exchange. */
  send(order: SimOrder): void {
    const delay = this.options.delay()
    if (delay === 0) this.arrive(order)
    else this.options.clock.after(delay, () => this.arrive(order))
  }

  arrive(order: SimOrder): void {
    const issue = this.issue(order.code)
    if (order.change !== null) {
      this.#change(issue, order)
      return
    }
    if (order.remaining === 0) return
    const phase = this.phaseOf(issue, order.routed)
    const fixed = divisionOf(order).pricing === 'fixed'
    if (this.options.rejects(order) || (phase.matching === 'closed' && !fixed)) {
      this.#reduce(order, order.remaining, 'rejected')
      return
    }
    this.#notify((l) => l.arrived?.(order))
    this.#place(issue, order)
  }

  /** An order the exchange already had before a restart of this process. */
  restore(order: SimOrder): void {
    if (order.change === 'cancel' || (order.change === 'modify' && order.remaining === 0)) this.arrive(order)
    else this.#place(this.issue(order.code), order)
  }

  /** Takes orders out of the market that their session ended. */
  expire(venue: VenueName, ends: (order: SimOrder) => boolean): void {
    for (const issue of this.issues.values()) this.withdraw(issue, venue, 'expired', ends)
  }

  /** The same for one issue, by the exchange's own decision. */
  withdraw(
    issue: SimIssue,
    venue: VenueName,
    why: 'expired' | 'cancelled',
    which?: (order: SimOrder) => boolean,
  ): void {
    const stops = [...(this.#stops.get(issue.listing.code) ?? [])].filter((order) => order.routed === venue)
    for (const order of [...issue.books[venue].all(), ...stops]) {
      if (which && !which(order)) continue
      this.#withdraw(issue, order)
      this.#reduce(order, order.remaining, why)
    }
  }

  #place(issue: SimIssue, order: SimOrder, division = divisionOf(order)): void {
    if (division.pricing === 'stop') {
      const waiting = this.#stops.get(order.code) ?? new Set()
      this.#stops.set(order.code, waiting.add(order))
      return
    }
    if (division.pricing === 'fixed') {
      this.#placeFixed(issue, order)
      return
    }
    const limit = limitOf(issue, order, division)
    if (!this.trading(issue, order.routed)) {
      // It was accepted while its stock traded; an auction, an interruption or a halt came first.
      if (division.timeInForce === 'day') issue.books[order.routed].add(order, limit)
      else this.#reduce(order, order.remaining, 'immediate')
      return
    }
    const matches =
      division.pricing === 'middle'
        ? [{ price: limit, count: order.remaining, against: null }]
        : matchesFor(issue, order.routed, order.side, limit, order.remaining)
    const found = matches.reduce((sum, match) => sum + match.count, 0)
    if (division.timeInForce === 'fok' && found < order.remaining) {
      this.#reduce(order, order.remaining, 'immediate')
      return
    }
    for (const { price, count, against } of matches) {
      if (against === null) issue.quotes[order.routed].take(price, count)
      this.#print(issue, order.routed, { price, count, aggressor: order.side, at: this.now })
    }
    if (matches.length > 0) this.#notify((l) => l.settled?.(issue, order.routed))
    for (const { price, count, against } of matches) {
      this.#fill(issue, order, price, count)
      if (against) this.#fill(issue, against, price, count)
    }
    if (matches.length > 0) this.#notify((l) => l.quoted?.(issue, order.routed))
    if (order.remaining === 0) return
    if (division.timeInForce === 'ioc') this.#reduce(order, order.remaining, 'immediate')
    else issue.books[order.routed].add(order, limit)
  }

  /** Off-hours orders trade at one known price: before the open at the previous close, from 15:40 on at today's. */
  #placeFixed(issue: SimIssue, order: SimOrder): void {
    const price = order.division === ORD_DVSN.preOpen ? issue.base : issue.tapes.KRX.last
    const today = kstDay(this.now)
    const [time, edge] =
      order.division === ORD_DVSN.preOpen ? (['083000', 'open'] as const) : (['154000', 'close'] as const)
    const from = kstInstant(today, time) + this.options.hours.delayMs(today, edge)
    const trade = (): void => {
      if (order.remaining > 0) this.#fill(issue, order, price, order.remaining)
    }
    if (from <= this.now) trade()
    else this.options.clock.after(from - this.now, trade)
  }

  #change(issue: SimIssue, change: SimOrder): void {
    const original = this.options.ledger.account(change.account).order(change.day, change.original ?? '')
    // The original may have traded on the way; a notice then reports the change as refused.
    const count = Math.min(change.count, original?.remaining ?? 0)
    if (!original || count === 0) {
      this.#reduce(change, change.count, 'rejected')
      return
    }
    this.#notify((l) => l.arrived?.(change))
    if (count === original.remaining) this.#withdraw(issue, original)
    this.#reduce(original, count, change.change === 'modify' ? 'modified' : 'cancelled', change.odno)
    if (change.change === 'modify') this.#place(issue, change)
  }

  #reduce(order: SimOrder, count: number, why: Reduction, by: string | null = null): void {
    this.options.ledger.reduce(this.now, order, count, why, by)
  }

  #withdraw(issue: SimIssue, order: SimOrder): void {
    issue.books[order.routed].remove(order)
    this.#stops.get(order.code)?.delete(order)
  }

  #trigger(issue: SimIssue, price: number): void {
    const waiting = this.#stops.get(issue.listing.code)
    if (!waiting || waiting.size === 0) return
    for (const order of waiting) {
      if (order.side === 'buy' ? price < order.trigger : price > order.trigger) continue
      waiting.delete(order)
      this.#place(issue, order, { pricing: 'limit', timeInForce: 'day', name: '지정가' })
    }
  }

  #fill(issue: SimIssue, order: SimOrder, price: number, count: number): void {
    if (count === order.remaining) this.#withdraw(issue, order)
    this.options.ledger.fill(this.now, order, issue.listing, price, count)
  }

  #print(issue: SimIssue, venue: VenueName, print: Print): void {
    issue.tapes[venue].add(print)
    issue.tapes.UN.add(print)
    this.#notify((l) => l.printed?.(issue, venue, print, false))
  }

  #notify(call: (listener: MarketListener) => void): void {
    for (const listener of this.#listeners) call(listener)
  }

  /** State changes people can watch on the market-operation channel. */
  operation(issue: SimIssue, code: string, only?: VenueName): void {
    this.#notify((l) => l.operation?.(issue, code, only))
  }
}
