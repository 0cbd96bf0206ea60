import type { TradingConditions } from '../conditions.ts'
import type { AccountsObserver } from '../observer.ts'
import type { Committer, AccountReader } from '@digger/storage'

/** An order on the wire of this very process: its time-out (20 s), after which the connection is reset, and the listing lag, ms. */
export const OWN_LATE_MS = 40_000

/** What the mailbox of an account works with. */
export interface MailboxParts {
  readonly committer: Pick<Committer, 'commit'>
  readonly reader: Pick<AccountReader, 'reload'>
  readonly conditions: Pick<TradingConditions, 'context'>
  /** Called after every durable change, and where what people see beside it changed. */
  readonly observers: readonly Pick<
    AccountsObserver,
    'accountChanged' | 'accountArmed' | 'balanceRead' | 'strangersChanged' | 'duesChanged'
  >[]
  /** Called when it turns out that another process has the account. */
  readonly fenced: (userId: string) => void
  /** How long an order on its way when the process before us ended may still reach the broker, ms. */
  readonly inheritedMs: number
  readonly problem: (userId: string, error: unknown) => void
}
