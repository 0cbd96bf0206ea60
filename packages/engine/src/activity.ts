import type { AccountRegistry } from './account-registry.ts'
import type { AllPrices } from '@digger/prices'

/** What is under way in this server: for whoever waits for its end, and for whoever moves time by hand. */
export class Activity {
  readonly #accounts: AccountRegistry
  readonly #prices: AllPrices

  constructor(accounts: AccountRegistry, prices: AllPrices) {
    this.#accounts = accounts
    this.#prices = prices
  }

  /** Events in mailboxes and commits under way. */
  get queue(): number {
    let waiting = this.#accounts.waitingCommits
    for (const { mailbox } of this.#accounts.all()) waiting += mailbox.waiting
    return waiting
  }

  /** Whether an event waits, a call is out or a commit is under way. */
  get busy(): boolean {
    if (this.#accounts.waitingCommits > 0 || this.#accounts.writesClosings) return true
    for (const account of this.#accounts.all()) if (account.busy) return true
    return false
  }

  /** Resolves when no event waits, nothing is on the wire and everything is durable. */
  async idle(): Promise<void> {
    while (this.busy) await new Promise((resolve) => setImmediate(resolve))
  }

  /** Frames a user's socket has received. */
  frames(userId: string): number {
    return this.#accounts.find(userId)?.effects?.broker.socket.frames ?? 0
  }

  /** What the user's client has asked and has no answer to, on any wire. */
  unanswered(userId: string): number {
    return this.#accounts.find(userId)?.effects?.unanswered ?? 0
  }

  /** Whether an account would look at this price of the stock. Sells rest at the broker. */
  concerns(code: string, price: number): boolean {
    return this.#prices.concerns(code, price)
  }

  /** What time alone brings about, now. */
  tick(): void {
    this.#accounts.tick()
  }
}
