import type { BrokerBalance, Execution } from '../../src/index.ts'
import type { Agenda } from './agenda.ts'
import type { BrokerOrder, Shown } from './broker-types.ts'
import type { Faults } from './faults.ts'
import type { Random } from './random.ts'

/** A new order or a fill may be missing from a list or from the balance at most this long, ms (measured: up to 5.3 s). */
const LAG_MS = 5_300

/** How the broker tells of orders and holdings: late, and in ways that nobody knows for sure. A run has one of each. */
export class Listing {
  readonly #shownBalances: { readonly from: number; readonly balance: BrokerBalance }[] = []
  /** Rows that are no orders of their own: cancels made in the broker's app. */
  readonly #changes: Shown[] = []
  readonly #agenda: Agenda
  readonly #random: Random
  readonly #faults: Faults
  /** What was sent without a price is shown at the one it got. */
  readonly #showsPaidPrice: boolean
  readonly #expiredShownAs: 'rejected' | 'cancelled' | 'nothing' | 'remaining'
  /** A cancel from outside is a row of its own, beside the order's. */
  readonly #showsCancels: boolean

  constructor({ agenda, random, faults }: { agenda: Agenda; random: Random; faults: Faults }, cash: number) {
    this.#agenda = agenda
    this.#random = random
    this.#faults = faults
    this.#showsPaidPrice = random.chance(0.5)
    this.#expiredShownAs = random.pick(['rejected', 'cancelled', 'nothing', 'remaining'] as const)
    this.#showsCancels = random.chance(0.5)
    this.#shownBalances.push({ from: 0, balance: { holdings: [], depositAmount: cash } })
  }

  show(order: BrokerOrder): void {
    const rest = order.count - order.filledCount
    this.#add(order.shown, {
      ...rowOf(order),
      price: this.#shownPrice(order),
      filledCount: order.filledCount,
      filledAmount: order.filledAmount,
      remainingCount: order.open || (order.expired && this.#expiredShownAs === 'remaining') ? rest : 0,
      rejectedCount: order.rejected || (order.expired && this.#expiredShownAs === 'rejected') ? rest : 0,
      cancelled: order.cancelled || (order.expired && this.#expiredShownAs === 'cancelled'),
    })
  }

  /** Its owner cancelled the order, which has the number `odno` of its own. */
  showCancel(order: BrokerOrder, odno: string): void {
    if (!this.#showsCancels) return
    const { now } = this.#agenda
    this.#add(this.#changes, {
      ...rowOf(order),
      odno,
      originalOdno: order.odno,
      count: order.count - order.filledCount,
      orderedAt: now - (now % 1000),
    })
  }

  list(orders: readonly BrokerOrder[], from: string, to: string): Execution[] {
    const { now } = this.#agenda
    const isAsked = ({ day }: { readonly day: string }): boolean => day >= from && day <= to
    return [
      ...orders.flatMap((order) =>
        isAsked(order) ? (order.shown.findLast((version) => version.from <= now)?.row ?? []) : [],
      ),
      ...this.#changes.flatMap(({ from: since, row }) => (since <= now && isAsked(row) ? row : [])),
    ]
  }

  showBalance(held: ReadonlyMap<string, number>, cost: ReadonlyMap<string, number>, cash: number): void {
    const lag = this.#faults.strikes('balanceLag') ? this.#random.int(500, LAG_MS) : 0
    const holdings = [...held].flatMap(([code, count]) => {
      if (count === 0) return []
      const buyAmount = cost.get(code) ?? 0
      return [{ code, name: code, count, sellableCount: count, averagePrice: buyAmount / count, buyAmount }]
    })
    const from = Math.max(this.#agenda.now + lag, this.#shownBalances.at(-1)?.from ?? 0)
    this.#shownBalances.push({ from, balance: { holdings, depositAmount: cash } })
  }

  balance(): BrokerBalance {
    const { now } = this.#agenda
    const shown = this.#shownBalances.findLast((version) => version.from <= now)
    if (shown === undefined) throw new Error('no balance was ever shown')
    return shown.balance
  }

  /** A later state is never shown before an earlier one. */
  #add(versions: Shown[], row: Execution): void {
    const lag = this.#faults.strikes('listingLag') ? this.#random.int(1_000, LAG_MS) : 0
    versions.push({ from: Math.max(this.#agenda.now + lag, versions.at(-1)?.from ?? 0), row })
  }

  #shownPrice({ price, filledCount, filledAmount }: BrokerOrder): number {
    return price === 0 && filledCount > 0 && this.#showsPaidPrice ? Math.round(filledAmount / filledCount) : price
  }
}

const rowOf = (order: BrokerOrder): Execution => ({
  day: order.day,
  odno: order.odno,
  orgno: '06010',
  originalOdno: order.replaces,
  code: order.code,
  name: order.code,
  side: order.side,
  venue: order.venue,
  count: order.count,
  price: order.price,
  orderedAt: order.orderedAt,
  filledCount: 0,
  filledAmount: 0,
  remainingCount: 0,
  rejectedCount: 0,
  cancelled: false,
})
