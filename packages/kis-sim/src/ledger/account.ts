import type { KisEnv } from '@digger/kis'
import type { AcceptedOrder, Fact, FilledFact, ReducedFact, SimAccount } from './facts.ts'
import { Holdings } from './holdings.ts'

/** An accepted order and its present state. */
export interface SimOrder extends AcceptedOrder {
  filledCount: number
  filledAmount: number
  cancelledCount: number
  rejectedCount: number
  expiredCount: number
  /** When it expired, epoch ms; null: it did not. */
  expiredAt: number | null
  /** Shares that may still trade under this number. */
  remaining: number
  fee: number
  tax: number
  /** Whether the exchange has carried out, or turned down, a modification or cancellation. */
  settled: boolean
}

/** What one stock earned in one day, won. */
export interface DayResult {
  readonly day: string
  readonly code: string
  buyCount: number
  buyAmount: number
  sellCount: number
  sellAmount: number
  /** Cost of the shares sold. */
  soldCost: number
  fee: number
  tax: number
}

/** A change that queries show late: they read `shown`, which follows `truth` after the broker's own lag. */
interface DelayedChange {
  readonly at: number
  readonly apply: () => void
}

export class Account {
  readonly number: string
  readonly spec: SimAccount
  readonly env: KisEnv
  readonly truth: Holdings
  /** The balance as queries show it. */
  readonly shown: Holdings
  /** Every order in the order of acceptance. */
  readonly orders: SimOrder[] = []
  /** Orders that can still trade. */
  readonly live = new Set<SimOrder>()
  readonly results = new Map<string, DayResult>()
  readonly facts: Fact[] = []
  /** Won that was paid for the shares each order has sold. */
  readonly #soldCosts = new Map<SimOrder, number>()
  /** Modifications the exchange has not carried out or turned down yet. */
  readonly #modifications = new Set<SimOrder>()
  readonly #byNumber = new Map<string, SimOrder>()
  readonly #delayed: DelayedChange[] = []

  constructor(spec: SimAccount) {
    this.spec = spec
    this.number = spec.credentials.accountNumber
    this.env = spec.env ?? 'real'
    const cash = spec.cash ?? 100_000_000
    this.truth = new Holdings(cash)
    this.shown = new Holdings(cash)
    for (const { code, count, averagePrice } of spec.holdings ?? []) this.setHolding(code, count, averagePrice)
  }

  soldCost(order: SimOrder): number {
    return this.#soldCosts.get(order) ?? 0
  }

  order(day: string, odno: string): SimOrder | undefined {
    return this.#byNumber.get(`${day}/${odno}`)
  }

  /** Won reserved by live buys, and by modifications on their way to a higher price; brokerage included. */
  reserved(): number {
    let won = 0
    for (const order of this.live) if (order.side === 'buy') won += order.remaining * order.reservedPrice
    for (const change of this.#modifications) {
      const original = this.order(change.day, change.original ?? '')
      if (!original || change.side !== 'buy') continue
      const higherBy = Math.max(0, change.reservedPrice - original.reservedPrice)
      won += Math.min(change.count, original.remaining) * higherBy
    }
    return Math.ceil(won * (1 + this.brokerage))
  }

  /** Shares locked in live sells. */
  locked(code: string): number {
    let count = 0
    for (const order of this.live) if (order.side === 'sell' && order.code === code) count += order.remaining
    return count
  }

  /** Brokerage as a share of the deal. */
  get brokerage(): number {
    return (this.spec.brokeragePercent ?? 0.015) / 100
  }

  /** Won free for new orders: sale proceeds count at once. */
  orderable(): number {
    return Math.max(0, this.truth.cash() - this.reserved())
  }

  accept(accepted: AcceptedOrder): void {
    const order: SimOrder = {
      ...accepted,
      filledCount: 0,
      filledAmount: 0,
      cancelledCount: 0,
      rejectedCount: 0,
      expiredCount: 0,
      expiredAt: null,
      // A modification takes its shares over when the exchange confirms it; a cancellation never trades.
      remaining: accepted.change === null ? accepted.count : 0,
      fee: 0,
      tax: 0,
      settled: false,
    }
    this.orders.push(order)
    this.#byNumber.set(`${order.day}/${order.odno}`, order)
    if (order.remaining > 0) this.live.add(order)
    if (order.change === 'modify') this.#modifications.add(order)
  }

  fill(fact: FilledFact, shownAt: number): void {
    const order = this.order(fact.day, fact.odno)
    if (!order) return
    order.filledCount += fact.count
    order.filledAmount += fact.price * fact.count
    order.remaining -= fact.count
    order.fee += fact.fee
    order.tax += fact.tax
    if (order.remaining === 0) this.live.delete(order)
    const soldCost = this.truth.fill(fact)
    if (fact.side === 'sell') this.#soldCosts.set(order, this.soldCost(order) + soldCost)
    this.#book(fact, soldCost)
    this.showAt(shownAt, () => this.shown.fill(fact))
  }

  reduce({ at, day, odno, count, why, by }: ReducedFact): void {
    const order = this.order(day, odno)
    if (!order) return
    const change = by === null ? undefined : this.order(day, by)
    if (change) change.settled = true
    this.#modifications.delete(change ?? order)
    if (why === 'rejected') {
      order.rejectedCount += count
      order.settled = true
    }
    if (why === 'expired') {
      order.expiredCount += count
      order.expiredAt = at
    }
    if (why !== 'rejected' && why !== 'expired') order.cancelledCount += count
    order.remaining = Math.max(0, order.remaining - count)
    if (order.remaining === 0) this.live.delete(order)
    if (why === 'modified' && change) {
      change.remaining = count
      this.live.add(change)
    }
  }

  setHolding(code: string, count: number, averagePrice: number): void {
    this.truth.set(code, count, averagePrice)
    this.shown.set(code, count, averagePrice)
  }

  credit({ code, count, cost, won }: Extract<Fact, { kind: 'credited' }>): void {
    for (const holdings of [this.truth, this.shown]) holdings.credit(code, count, cost)
    this.payIn(won)
  }

  payIn(won: number): void {
    for (const holdings of [this.truth, this.shown]) holdings.deposit += won
  }

  setCash(won: number): void {
    for (const holdings of [this.truth, this.shown]) {
      holdings.deposit = won
      holdings.pending.clear()
    }
  }

  beginDay(day: string): void {
    this.settleShown(Infinity)
    this.truth.beginDay(day)
    this.shown.beginDay(day)
  }

  /** Shows a change at an instant, never before one that happened earlier. */
  showAt(at: number, apply: () => void): void {
    this.#delayed.push({ at: Math.max(at, this.#delayed.at(-1)?.at ?? 0), apply })
  }

  /** Brings the shown balance up to an instant. */
  settleShown(now: number): void {
    while (this.#delayed[0] && this.#delayed[0].at <= now) this.#delayed.shift()?.apply()
  }

  #book({ day, code, side, price, count, fee, tax }: FilledFact, soldCost: number): void {
    const key = `${day}/${code}`
    let row = this.results.get(key)
    if (!row) {
      row = { day, code, buyCount: 0, buyAmount: 0, sellCount: 0, sellAmount: 0, soldCost: 0, fee: 0, tax: 0 }
      this.results.set(key, row)
    }
    row.fee += fee
    row.tax += tax
    row.soldCost += soldCost
    if (side === 'buy') {
      row.buyCount += count
      row.buyAmount += price * count
    } else {
      row.sellCount += count
      row.sellAmount += price * count
    }
  }
}
