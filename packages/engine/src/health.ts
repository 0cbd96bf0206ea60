import type { Clock } from '@digger/database'
import type { AccountRegistry } from './account-registry.ts'
import type { AccountAttention, ConnectedAccount } from './account/connected-account.ts'
import type { Tables } from '@digger/storage'
import { vitalsOf, type Trouble, type Vitals } from './vitals.ts'

/** How the accounts of this server are doing, with what keeps them from their work. */
export class Health {
  readonly #accounts: AccountRegistry
  readonly #tables: Tables
  readonly #clock: Clock
  readonly #around: () => readonly Trouble[]
  #queuePeak = 0

  /** `around`: troubles that come from beside the accounts. */
  constructor(accounts: AccountRegistry, tables: Tables, clock: Clock, around: () => readonly Trouble[]) {
    this.#accounts = accounts
    this.#tables = tables
    this.#clock = clock
    this.#around = around
  }

  /** With the peak of the queues since it was last called. */
  vitals(): Vitals {
    const vitals = this.#read()
    const brokerQueuePeak = Math.max(this.#queuePeak, vitals.brokerQueuePeak)
    this.#queuePeak = 0
    return { ...vitals, brokerQueuePeak }
  }

  /** For whoever looks often. The peak is kept for `vitals`. */
  troubles(): readonly Trouble[] {
    const { brokerQueuePeak, troubles } = this.#read()
    this.#queuePeak = Math.max(this.#queuePeak, brokerQueuePeak)
    return troubles
  }

  #read(): Vitals {
    const now = this.#clock.now()
    const vitals = vitalsOf(
      [...this.#accounts.all()].map((account) => account.pulse(now)),
      { leaseHeld: this.#tables.lease.held(), silentMs: this.#tables.silentMs(), brokerDown: this.broker === 'down' },
    )
    return { ...vitals, troubles: [...vitals.troubles, ...this.#around()] }
  }

  /** What each account here calls its person for. */
  *attention(): Generator<AccountAttention> {
    for (const account of this.#accounts.all()) if (!this.#accounts.isLeaving(account.userId)) yield account.attention()
  }

  /** Accounts whose keys are open, and all that trade: for whoever waits for it and asks often. */
  get armed(): { readonly opened: number; readonly armed: number } {
    let [opened, armed] = [0, 0]
    for (const { effects, mailbox } of this.#accounts.all()) {
      if (effects !== null) opened += 1
      if (mailbox.account.view.connection.armed) armed += 1
    }
    return { opened, armed }
  }

  /** Whether every account whose key is open trades. */
  get allArmed(): boolean {
    const { opened, armed } = this.armed
    return armed >= opened
  }

  get #here(): ConnectedAccount[] {
    return [...this.#accounts.all()].filter(({ userId }) => !this.#accounts.isLeaving(userId))
  }

  /** Users whose accounts are here: not those that are on their way to another process. */
  users(): string[] {
    return this.#here.map(({ userId }) => userId)
  }

  /** Users whose accounts may begin orders here: not those that are on their way to another process. */
  armedUsers(): string[] {
    return this.#here.filter(({ mailbox }) => mailbox.account.view.connection.armed).map(({ userId }) => userId)
  }

  /** `down`: nobody's lists could be read lately, so it is not one account's trouble. */
  get broker(): 'ok' | 'down' | 'unused' {
    const opened = [...this.#accounts.all()].filter(({ effects }) => effects !== null)
    if (opened.length === 0) return 'unused'
    return opened.every(({ mailbox }) => mailbox.account.view.readSchedule.failures > 0) ? 'down' : 'ok'
  }
}
