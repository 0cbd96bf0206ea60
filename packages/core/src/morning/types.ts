import type { Account, Context } from '../account/step-types.ts'

/** What is looked at before an account trades by itself, in the order in which people see it. */
export const MORNING_ITEMS = ['key', 'notices', 'clock', 'hours', 'limits', 'venues', 'base', 'book', 'cash'] as const
export type MorningItemName = (typeof MORNING_ITEMS)[number]

/** red: nothing automatic in what it binds · waiting: on its way · notApplicable: there is nothing to know here. */
export type MorningState = 'ok' | 'waiting' | 'red' | 'notApplicable'

export interface MorningItem {
  readonly item: MorningItemName
  readonly state: MorningState
  /** Since when it is known to be so, epoch ms; null: that is not kept. */
  readonly since: number | null
  /** A Korean sentence that says what can be done. */
  readonly text: string
  /** Stocks it is about, where it is not about the whole account. */
  readonly codes: readonly string[]
}

/** What only the process knows that has the account: its wires, and where the day comes from. */
export interface MorningFacts {
  /** The key is open here. */
  readonly opened: boolean
  readonly socket: {
    readonly connected: boolean
    /** Nobody has closed it on purpose. */
    readonly wanted: boolean
    /** When it last came or went, and when the last notice came; epoch ms, null: never. */
    readonly since: number | null
    readonly receivedAt: number | null
  }
  /** By how much the machine's clock is ahead of the market's time, ms; null: the broker says no time. */
  readonly machineAheadMs: number | null
  readonly calendar: {
    /** What the broker lists today as; null: not read. */
    readonly listed: 'open' | 'closed' | null
    /** The broker has no such list. */
    readonly isOffered: boolean
    /** An operator has spoken of today. */
    readonly isOperators: boolean
  }
  /** Whether the broker has said today what the stock is, and so where it is traded. */
  readonly isIssueRead: (code: string) => boolean
}

export interface MorningInput {
  readonly account: Account
  readonly ctx: Context
  readonly facts: MorningFacts
}
