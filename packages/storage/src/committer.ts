import type { Pool } from 'pg'
import type { Lease } from '@digger/database'
import type { Changes } from './rows-of.ts'
import { writeChanges } from './store.ts'

interface Waiting {
  readonly changes: Changes
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** Somebody else may own the accounts by now: what is in memory may be old, and must not become a commit. */
export class NoLeaseError extends Error {
  override readonly name = 'NoLeaseError'
  constructor() {
    super('this process cannot show that it still owns the database')
  }
}

/** Somebody else has taken the account since: this process has nothing more to do with it, and must not read it again to go on. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
  constructor() {
    super('another process has taken this account')
  }
}

/** The tables were reached and said no to these very rows (classes 22 and 23 of SQLSTATE). */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))

/**
 * Whether it is certain that nothing was written: it was not tried, or the database said no. After a cut line (SQLSTATE class
 * 08, an error of the system such as EPIPE) or an operator's hand (57) the commit may stand and only its answer be lost.
 */
export const isNotWritten = (error: unknown): boolean =>
  error instanceof NoLeaseError ||
  error instanceof FencedError ||
  (error instanceof Error && 'code' in error && /^(?!08|57|E)[0-9A-Z]{5}$/.test(String(error.code)))

/** Accounts written in one statement at most; more would hold up the one connection of the embedded database. */
const MAX_BATCH = 500

/**
 * Makes changes durable, many accounts at a time: while one commit is under way the next ones gather
 * (one commit for 20 accounts costs hardly more than for one). A batch that is refused is written one by one,
 * so that only the guilty account fails; one whose answer is lost may be written, so all of it fails at once.
 */
export class Committer {
  readonly #pool: Pool
  readonly #lease: Lease
  #waiting: Waiting[] = []
  #busy = false

  constructor(pool: Pool, lease: Lease) {
    this.#pool = pool
    this.#lease = lease
  }

  /** Resolves once the changes are on disk. An account must not commit again before that. Refused without the lease. */
  commit(changes: Changes): Promise<void> {
    if (!this.#lease.held()) return Promise.reject(new NoLeaseError())
    return new Promise((done, failed) => {
      this.#waiting.push({ changes, done, failed })
      if (!this.#busy) void this.#run()
    })
  }

  get waiting(): number {
    return this.#waiting.length
  }

  async #run(): Promise<void> {
    this.#busy = true
    // Everything that other accounts commit in this same turn goes into the first batch too.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH)
      try {
        await this.#write(batch)
        for (const one of batch) one.done()
      } catch (error) {
        if (isNotWritten(error)) await this.#oneByOne(batch, error)
        else for (const one of batch) one.failed(error)
      }
    }
    this.#busy = false
  }

  /** `refusal`: of the whole batch. */
  async #oneByOne(batch: readonly Waiting[], refusal: unknown): Promise<void> {
    for (const one of batch) {
      try {
        if (batch.length === 1) throw refusal
        await this.#write([one])
        one.done()
      } catch (error) {
        one.failed((await this.#isFenced(one, error)) ? new FencedError() : error)
      }
    }
  }

  /** The tables say no in one way only, by dividing by zero: to an account that was written meanwhile, and to one that was taken. */
  async #isFenced({ changes: { account } }: Waiting, error: unknown): Promise<boolean> {
    if (!isRefusal(error)) return false
    const { rows } = await this.#pool
      .query<{ epoch: number }>('select epoch from account where user_id = $1', [account.user_id])
      .catch(() => ({ rows: [] }))
    return rows[0] !== undefined && rows[0].epoch !== account.epoch
  }

  /** The lease may have been lost while the changes waited behind others. */
  async #write(batch: readonly Waiting[]): Promise<void> {
    if (!this.#lease.held()) throw new NoLeaseError()
    await writeChanges(
      this.#pool,
      batch.map((one) => one.changes),
    )
  }
}
