import type { Side } from '@digger/core'
import type { SimOrder } from '../ledger/account.ts'

/** Client orders that wait on one venue, best price first, then earliest. */
export class RestingBook {
  readonly buys: SimOrder[] = []
  readonly sells: SimOrder[] = []
  /** Limit at which an order really waits: best and top orders take theirs on arrival. */
  readonly #limits = new Map<SimOrder, number>()

  side(side: Side): SimOrder[] {
    return side === 'buy' ? this.buys : this.sells
  }

  limit(order: SimOrder): number {
    return this.#limits.get(order) ?? order.price
  }

  has(order: SimOrder): boolean {
    return this.#limits.has(order)
  }

  add(order: SimOrder, limit: number): void {
    const queue = this.side(order.side)
    const better = order.side === 'buy' ? (a: number) => a >= limit : (a: number) => a <= limit
    let low = 0
    let high = queue.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = queue[middle]
      if (other && better(this.limit(other))) low = middle + 1
      else high = middle
    }
    queue.splice(low, 0, order)
    this.#limits.set(order, limit)
  }

  remove(order: SimOrder): void {
    if (!this.#limits.delete(order)) return
    const queue = this.side(order.side)
    queue.splice(queue.indexOf(order), 1)
  }

  all(): SimOrder[] {
    return [...this.buys, ...this.sells]
  }
}
