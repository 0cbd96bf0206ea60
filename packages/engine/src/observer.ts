import type { Book, Fact, Stop } from '@digger/core'

/** One durable change of one account. */
export interface AccountChanged {
  readonly userId: string
  readonly before: Book
  readonly after: Book
  readonly facts: readonly Fact[]
}

/** What an observer of all accounts is called for, in the turn in which it happened. */
export interface AccountsObserver {
  /** After the change is on disk. */
  accountChanged?(change: AccountChanged): void
  /** A price of the stock was seen: a trade, or a reading. */
  priceChanged?(code: string): void
  /** What is known of a stock's designations and interruptions became other than it was. */
  statusesChanged?(code: string): void
  socketChanged?(userId: string, connected: boolean): void
  serverStopChanged?(stop: Stop): void
  /** The account may trade by itself from now on: book and broker were compared. */
  accountArmed?(userId: string): void
  /** A reading showed other orders at the broker that are not ours. */
  strangersChanged?(userId: string): void
  /** Orders of these stocks became due and have not left, or are not due any more. */
  duesChanged?(userId: string, codes: readonly string[]): void
  /** About once a second, after the account has had its time. */
  ticked?(userId: string): void
  /** The broker's balance was read together with its list, and what it brought is in the book. `deposit`: won. */
  balanceRead?(userId: string, deposit: number): void
}

/** Called when a stop of the server is written. Resolves when it holds in every process; throws OutcomeUnknown where nobody knows that. */
export type StopWritten = (stop: Stop, version: number) => Promise<void>

/** Passes what happens to everyone who registered. One that throws keeps it from nobody else, nor from the account. */
export class Observers implements Required<AccountsObserver> {
  readonly #registered = new Set<AccountsObserver>()
  readonly #problem: (userId: string | null, error: unknown) => void

  constructor(problem: (userId: string | null, error: unknown) => void) {
    this.#problem = problem
  }

  /** Returns the way to leave. */
  add(observer: AccountsObserver): () => void {
    this.#registered.add(observer)
    return () => void this.#registered.delete(observer)
  }

  accountChanged(change: AccountChanged): void {
    this.#each((observer) => observer.accountChanged?.(change), change.userId)
  }

  priceChanged(code: string): void {
    this.#each((observer) => observer.priceChanged?.(code))
  }

  statusesChanged(code: string): void {
    this.#each((observer) => observer.statusesChanged?.(code))
  }

  socketChanged(userId: string, connected: boolean): void {
    this.#each((observer) => observer.socketChanged?.(userId, connected), userId)
  }

  serverStopChanged(stop: Stop): void {
    this.#each((observer) => observer.serverStopChanged?.(stop))
  }

  accountArmed(userId: string): void {
    this.#each((observer) => observer.accountArmed?.(userId), userId)
  }

  strangersChanged(userId: string): void {
    this.#each((observer) => observer.strangersChanged?.(userId), userId)
  }

  duesChanged(userId: string, codes: readonly string[]): void {
    this.#each((observer) => observer.duesChanged?.(userId, codes), userId)
  }

  ticked(userId: string): void {
    this.#each((observer) => observer.ticked?.(userId), userId)
  }

  balanceRead(userId: string, deposit: number): void {
    this.#each((observer) => observer.balanceRead?.(userId, deposit), userId)
  }

  #each(call: (observer: AccountsObserver) => void, userId: string | null = null): void {
    for (const observer of this.#registered) {
      try {
        call(observer)
      } catch (error) {
        this.#problem(userId, error)
      }
    }
  }
}
