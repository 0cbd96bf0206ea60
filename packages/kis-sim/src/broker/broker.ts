import type { MarketHours } from '../exchange/market-hours.ts'
import type { SimClock } from '../runtime/clock.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Happenings } from '../exchange/happenings.ts'
import type { Faults } from '../faults/faults.ts'
import type { SimOrder } from '../ledger/account.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Pace } from './options.ts'
import type { Latency, BrokerAssumptions } from './assumptions.ts'
import type { Decisions } from '../runtime/decisions.ts'
import type { Dice } from '../runtime/random.ts'

export interface Wire {
  /** `current`: tick and book records since 2026-09-14; `legacy`: before, and one record a frame. */
  readonly version: 'current' | 'legacy'
  readonly noticeFields: 23 | 26
}

/** Everything a call or a frame may need to know. */
export interface Broker {
  readonly clock: SimClock
  readonly seed: number
  /** KST day on which the market began; what lies before is made up. */
  readonly firstDay: string
  readonly exchange: Exchange
  readonly happenings: Happenings
  readonly ledger: Ledger
  readonly faults: Faults
  readonly assumed: Decisions<BrokerAssumptions>
  readonly latency: Latency
  readonly hours: MarketHours
  readonly dice: Dice
  readonly limits: 'enforced' | 'off'
  /** Market ms per ms of the broker's own delays and limits. */
  readonly timeScale: () => number
  readonly wire: Wire
  readonly visibility: Visibility
  readonly pace: Pace | null
  /** Orders on a page of a list; null: as many as the broker's. */
  readonly rowsPerPage: number | null
  /** Calls the gateway admitted, by endpoint. */
  readonly calls: Map<string, number>
}

/** New orders show in queries only after the broker's own lag. */
export class Visibility {
  readonly #hiddenUntil = new WeakMap<SimOrder, number>()

  hide(order: SimOrder, until: number): void {
    this.#hiddenUntil.set(order, until)
  }

  visible(order: SimOrder, now: number): boolean {
    const until = this.#hiddenUntil.get(order)
    if (until === undefined) return true
    if (until > now) return false
    this.#hiddenUntil.delete(order)
    return true
  }
}
