import type { Book, Fact, Stop } from '@digger/core'

/** One durable change of one account. */
export interface AccountChanged {
  readonly userId: string
  readonly before: Book
  readonly after: Book
  readonly facts: readonly Fact[]
}

/** What an observer of all accounts is called for, in the turn in which it happened. An observer must not throw. */
export interface AccountsObserver {
  /** After the change is on disk. */
  accountChanged?(change: AccountChanged): void
  /** A price of the stock was seen: a trade, or a reading. */
  priceChanged?(code: string): void
  socketChanged?(userId: string, connected: boolean): void
  serverStopChanged?(stop: Stop): void
  /** The broker's balance was read together with its list, and what it brought is in the book. `deposit`: won. */
  balanceRead?(userId: string, deposit: number): void
}

/** Passes what happens to everyone who registered. */
export class Observers implements Required<AccountsObserver> {
  readonly #registered = new Set<AccountsObserver>()

  /** Returns the way to leave. */
  add(observer: AccountsObserver): () => void {
    this.#registered.add(observer)
    return () => void this.#registered.delete(observer)
  }

  accountChanged(change: AccountChanged): void {
    for (const observer of this.#registered) observer.accountChanged?.(change)
  }

  priceChanged(code: string): void {
    for (const observer of this.#registered) observer.priceChanged?.(code)
  }

  socketChanged(userId: string, connected: boolean): void {
    for (const observer of this.#registered) observer.socketChanged?.(userId, connected)
  }

  serverStopChanged(stop: Stop): void {
    for (const observer of this.#registered) observer.serverStopChanged?.(stop)
  }

  balanceRead(userId: string, deposit: number): void {
    for (const observer of this.#registered) observer.balanceRead?.(userId, deposit)
  }
}
