import { ordersOfRealStart, type Account, type Book, type Context, type RealStart } from '@digger/core'
import type { AnswerLimit } from './account/answer-limit.ts'
import { cashToday } from './account/command-input.ts'
import type { ConnectedAccount } from './account/connected-account.ts'
import type { Command } from './accounts.ts'
import type { TradingConditions } from './conditions.ts'
import type { AccountsObserver, Observers } from './observer.ts'

/** Goes along with accounts and sends nothing: it sees what happens, and takes what people order by hand of what is only rehearsed. */
export interface Rehearsal extends AccountsObserver {
  /**
   * Carries the command out in its own book where nothing of it may be sent, and throws within the limit what its person is to hear;
   * else does nothing.
   */
  take(userId: string, command: Command, limit: AnswerLimit): Promise<void>
}

interface AccountsHere {
  find(userId: string): ConnectedAccount | undefined
}

/** What a rehearsal sees of the accounts, and where it is asked: it changes nothing of them. */
export class Rehearsing {
  readonly #accounts: AccountsHere
  readonly #conditions: TradingConditions
  readonly #observers: Observers
  #rehearsal: Rehearsal | null = null

  constructor(accounts: AccountsHere, conditions: TradingConditions, observers: Observers) {
    this.#accounts = accounts
    this.#conditions = conditions
    this.#observers = observers
  }

  /** From now on. */
  begin(rehearsal: Rehearsal): void {
    this.#rehearsal = rehearsal
    this.#observers.add(rehearsal)
  }

  async take(userId: string, command: Command, limit: AnswerLimit): Promise<void> {
    await this.#rehearsal?.take(userId, command, limit)
  }

  /** Nothing of any account is sent. */
  get isEverything(): boolean {
    return this.#conditions.shadow
  }

  /** The real account as it is durable; undefined where it is not here. */
  account(userId: string): Account | undefined {
    return this.#accounts.find(userId)?.mailbox.account
  }

  book(userId: string): Book | undefined {
    return this.account(userId)?.book
  }

  /** Whether the account's key is open and the broker may be asked. */
  isAuthorised(userId: string): boolean {
    return this.#accounts.find(userId)?.effects?.authorised === true
  }

  /** What this account of the user's, which sends nothing, would decide by if it could: also what is in doubt about the real one. */
  contextOf(userId: string, account: Account): Context {
    const { shadow: _, ...context } = (this.#accounts.find(userId) ?? this.#conditions).context(account)
    return context
  }

  /**
   * What the stock's settings would send if it were not in the shadow, by the last prices. What a doubt about the account holds up is
   * named, too: it leaves without another press once the doubt ends.
   */
  realStart(userId: string, code: string): RealStart {
    const account = this.account(userId)
    if (account === undefined) return { atOnce: [], atOpening: [] }
    const { doubts: _, ...context } = this.contextOf(userId, account)
    return ordersOfRealStart(account, context, code)
  }

  /** As `cashToday`, by the key of the real account. */
  cash(userId: string, code: string): ReturnType<typeof cashToday> {
    return cashToday(this.#accounts.find(userId)?.effects ?? null, code)
  }
}
