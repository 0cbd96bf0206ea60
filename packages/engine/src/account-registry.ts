import { Refused } from '@digger/contract'
import { ConnectedAccount, type SharedParts } from './account/connected-account.ts'

/** The accounts this server has loaded. */
export class AccountRegistry {
  readonly #shared: SharedParts
  readonly #accounts = new Map<string, ConnectedAccount>()
  readonly #opening = new Map<string, Promise<ConnectedAccount>>()

  constructor(shared: SharedParts) {
    this.#shared = shared
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

  /** What time alone brings about: called by the timer, and by whoever moves time by hand. */
  tick(): void {
    const { conditions, problem } = this.#shared
    const { timetables, clock } = conditions
    for (const account of this.#accounts.values()) {
      account.tick()
      if (account.effects === null) continue
      const { rest } = account.effects.broker
      timetables.refresh(rest, clock.now()).catch((error: unknown) => problem(null, error))
    }
  }
}
