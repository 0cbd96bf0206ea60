import { Refused } from '@digger/contract'
import { every } from '@digger/database'
import { ConnectedAccount, type SharedParts } from './account/connected-account.ts'
import { Committer, AccountReader, type Tables } from '@digger/storage'

interface RegistryParts extends Pick<SharedParts, 'conditions' | 'observers' | 'problem'> {
  readonly tables: Tables
}

/** The accounts this server has loaded, where they are stored, and the timer they all follow. */
export class AccountRegistry {
  readonly #shared: SharedParts
  #stopTimer: (() => void) | null = null
  readonly #accounts = new Map<string, ConnectedAccount>()
  readonly #opening = new Map<string, Promise<ConnectedAccount>>()

  constructor({ tables, conditions, observers, problem }: RegistryParts) {
    this.#shared = {
      conditions,
      observers,
      committer: new Committer(tables.pool, tables.lease),
      reader: new AccountReader(tables, conditions.clock),
      lease: tables.lease,
      inheritedMs: tables.inheritedMs,
      problem,
    }
  }

  /** Loads the account of a user. Idempotent. */
  async open(userId: string): Promise<void> {
    if (this.#accounts.has(userId)) return
    const opening = this.#opening.get(userId) ?? this.#load(userId)
    this.#opening.set(userId, opening)
    try {
      this.#accounts.set(userId, await opening)
    } finally {
      this.#opening.delete(userId)
    }
  }

  async #load(userId: string): Promise<ConnectedAccount> {
    return new ConnectedAccount(userId, await this.#shared.reader.load(userId), this.#shared)
  }

  find(userId: string): ConnectedAccount | undefined {
    return this.#accounts.get(userId)
  }

  /** Throws Refused NOT_FOUND for an unknown user. */
  get(userId: string): ConnectedAccount {
    const account = this.#accounts.get(userId)
    if (account === undefined)
      throw new Refused('NOT_FOUND', '그런 사용자가 없습니다. 사용자 목록에서 다시 골라 주세요.')
    return account
  }

  all(): IterableIterator<ConnectedAccount> {
    return this.#accounts.values()
  }

  /** Changes that wait to be written. */
  get waitingCommits(): number {
    return this.#shared.committer.waiting
  }

  /** Whether closing prices are being written, or wait for it. */
  get writesClosings(): boolean {
    return this.#shared.conditions.closings.busy
  }

  startTimer(ms: number): void {
    this.#stopTimer = every(this.#shared.conditions.clock, ms, () => this.tick())
  }

  /** Stops the timer and takes the broker of every account away. */
  async close(): Promise<void> {
    this.#stopTimer?.()
    await Promise.all([...this.all()].map((account) => account.detach()))
  }

  /** What time alone brings about: called by the timer, and by whoever moves time by hand. */
  tick(): void {
    const { conditions, problem } = this.#shared
    const { timetables, clock, closings } = conditions
    closings.write().catch((error: unknown) => problem(null, error))
    for (const account of this.#accounts.values()) {
      account.tick()
      if (account.effects === null) continue
      const { rest } = account.effects.broker
      timetables.refresh(rest, clock.now()).catch((error: unknown) => problem(null, error))
    }
  }
}
