import { bootNow } from './boot-clock.ts'

/** The right to trade the accounts of a database. Nothing is committed for an account, and no order leaves, without it. */
export interface Lease {
  /** Whether the database confirmed within the last seconds that the right is ours. Costs no round trip. */
  held(): boolean
}

/** One process per folder, by a lock that only the end of the process gives back: nothing can take it away. */
export const KERNEL_LEASE: Lease = { held: () => true }

/** A tool beside a server trades nothing. */
export const NO_LEASE: Lease = { held: () => false }

/**
 * An answer of the database counts this long from when it was asked, ms by boot time: a process that stood still, or a
 * machine that slept, finds its lease over. Shorter than a server that takes over needs before its first order.
 */
const LEASE_MS = 4_000

/** A lease that is renewed by asking, for a lock that lives as long as a connection. */
export class RenewedLease implements Lease {
  #until = Number.NEGATIVE_INFINITY
  readonly #now: () => number

  constructor(now: () => number = bootNow) {
    this.#now = now
  }

  held(): boolean {
    return this.#now() < this.#until
  }

  /** `ask` resolves when the lock is still there. Counts from before the question. */
  async renew(ask: () => Promise<unknown>): Promise<void> {
    const asked = this.#now()
    await ask()
    this.#until = Math.max(this.#until, asked + LEASE_MS)
  }

  lose(): void {
    this.#until = Number.NEGATIVE_INFINITY
  }
}
