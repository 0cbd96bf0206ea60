import type { Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'
import type { CommittedOrder, CommittedRows } from './rows.ts'
import type { Strays } from './strays.ts'
import { Violation } from '../violation.ts'

/** An order may be on its way for so long, so that more may arrive in a minute than were made in one, ms. */
const ON_ITS_WAY_MS = 20_000
const MINUTE_MS = 60_000

/** The limits a person set hold for what the exchange has, whatever the server counts. */
export class Limits {
  readonly #stage: Stage
  readonly #rows: CommittedRows
  readonly #strays: Strays
  readonly #arrivals = new Map<string, number[]>()

  constructor(stage: Stage, rows: CommittedRows, strays: Strays) {
    this.#stage = stage
    this.#rows = rows
    this.#strays = strays
  }

  /** An automatic buy is about to leave: never above the price its reference and the person's percentage give. */
  checkTrigger(person: Person, row: CommittedOrder, what: string): void {
    const settings = this.#rows.setting(person.userId, row.code)
    if (settings === null || settings.lastBuyPrice === null) return
    const trigger = Math.min(settings.lastBuyPrice - 1, settings.lastBuyPrice * (1 + settings.buyPercent / 100))
    if (row.price <= trigger || this.#rows.referenceChangedSince(person.userId, row.code, row.id)) return
    throw new Violation('limits hold', `${what}, after a buy at ${settings.lastBuyPrice}`)
  }

  /** The exchange took an order. */
  accepted(person: Person, row: CommittedOrder, what: string): void {
    const { orderAmount, dailyBuyAmount, ordersPerMinute } = this.#rows.limits(person.userId)
    const { now, epoch } = this.#stage.simulation
    const since = now - MINUTE_MS + ON_ITS_WAY_MS
    const arrivals = (this.#arrivals.get(person.account) ?? []).filter((at) => at > since)
    // What a line kept for longer belongs to the minute it was made in; how old an order may be is a check of its own.
    if (epoch + now - row.created_at < ON_ITS_WAY_MS) arrivals.push(now)
    this.#arrivals.set(person.account, arrivals)
    if (ordersPerMinute !== undefined && arrivals.length > ordersPerMinute)
      throw new Violation('limits hold', `${what}: number ${arrivals.length} in ${(now - since) / 1_000} s`)
    if (row.side === 'sell') return
    const cost = row.count * row.reserved_price
    if (orderAmount !== undefined && cost > orderAmount)
      throw new Violation('limits hold', `${what}: ${cost} won, ${orderAmount} at most`)
    const day = this.#boughtAtExchange(person, row.day)
    if (dailyBuyAmount !== undefined && day > dailyBuyAmount)
      throw new Violation('limits hold', `${what}: ${day} won on this day, ${dailyBuyAmount} at most`)
  }

  #boughtAtExchange(person: Person, day: string): number {
    let won = 0
    for (const order of this.#stage.sim.orders(person.account)) {
      if (order.side !== 'buy' || order.day !== day || order.change !== null) continue
      if (this.#strays.isStray(person, order.odno)) continue
      won += order.filledAmount + order.remaining * order.reservedPrice
    }
    return won
  }
}
