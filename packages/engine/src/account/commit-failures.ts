import type { AccountEvent } from '@digger/core'
import { isRefusal } from '@digger/storage'

/** After a failed commit the account is read again this much later, ms; doubled with each failure until one succeeds. */
const RETRY_MS = 100
const RETRY_MAX_MS = 5_000
/** An event that the tables refuse is given up after so many tries. */
const MAX_TRIES = 3

/**
 * The commits of one account that failed in a row, and the readings after them. The trouble is over once the account was
 * read again and all that had to come first has been taken, whether or not it had anything to write: an account at night
 * writes nothing for hours.
 */
export class CommitFailures {
  /** Since a commit last succeeded. */
  #count = 0
  /** When the trouble began, by the process' even clock, ms. */
  #since: number | null = null
  /** The last of what has to come first after the reading; null: nothing has, or the reading is still to come. */
  #last: AccountEvent | null = null
  /** How often an event could not be committed. */
  readonly #tries = new WeakMap<AccountEvent, number>()

  /** For how long there has been trouble, ms; 0 without any. */
  get ms(): number {
    return this.#since === null ? 0 : performance.now() - this.#since
  }

  /** How long the next reading waits, ms. */
  get retryMs(): number {
    return Math.min(RETRY_MS * 2 ** this.#count, RETRY_MAX_MS)
  }

  failed(): void {
    this.#count += 1
    this.#since ??= performance.now()
    this.#last = null
  }

  /** What the tables refuse for itself will be refused for ever: it must not stand before everything else. */
  mayTryAgain(event: AccountEvent, error: unknown): boolean {
    const tries = (this.#tries.get(event) ?? 0) + 1
    this.#tries.set(event, tries)
    return tries < MAX_TRIES || !isRefusal(error)
  }

  /** The account was read again; `last` is the last event that has to come before anything else. */
  readAgain(last: AccountEvent): void {
    this.#last = last
  }

  /** Without a failure; `wrote`: with a commit. */
  taken(event: AccountEvent, wrote: boolean): void {
    if (event === this.#last) {
      this.#last = null
      this.#since = null
    }
    if (wrote && this.#last === null) this.#count = 0
  }
}

/** Both are posted anew when the account has been read: put back as well, they would become ever more. */
export const isPostedAnew = ({ kind }: AccountEvent): boolean => kind === 'restarted' || kind === 'authorised'
