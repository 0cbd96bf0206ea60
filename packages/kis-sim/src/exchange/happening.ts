import type { Warning } from './universe.ts'

/**
 * What befalls the pretend market at a moment that is given beforehand. Instants are epoch ms; days are KST `YYYYMMDD`,
 * and begin at midnight.
 */
export type Happening =
  /** NXT's list is without the issue, or has it, from a day on: it changes every quarter, and in between (press, 2025). */
  | { readonly kind: 'nxtDropped' | 'nxtAdded'; readonly code: string; readonly day: string }
  /** NXT alone stops an issue for a while, as for its share of the volume (15 % rule, press 2025-08 to 11). */
  | { readonly kind: 'nxtSuspended'; readonly code: string; readonly from: number; readonly until: number }
  /** An issue is designated from a day on; `as` null: the designation ends. */
  | { readonly kind: 'warned'; readonly code: string; readonly day: string; readonly as: Warning | null }
  /** Trading in an issue is halted, on both venues; during a session ten minutes of collecting follow, and one price. */
  | { readonly kind: 'halted'; readonly code: string; readonly from: number; readonly until: number }
  /** A fall of the index stops all issues of its market, or of both; see `stops.ts`. */
  | { readonly kind: 'circuitBreaker'; readonly at: number; readonly market?: 'KOSPI' | 'KOSDAQ' }
  /** 단기과열: one price every half hour, from a day to another; usually three sessions. */
  | { readonly kind: 'singlePrice'; readonly code: string; readonly from: string; readonly until: string }
  /** Cash for those who hold the shares when `exDay` begins, `won` a share before tax, in the deposit on `payDay`. */
  | {
      readonly kind: 'dividend'
      readonly code: string
      readonly exDay: string
      readonly payDay: string
      readonly won: number
    }
  /** The share itself becomes another one, and its base with it: a split, new shares for nothing or for money. */
  | {
      readonly kind: 'corporateAction'
      readonly as: 'bonusIssue' | 'rightsIssue' | 'stockDividend' | 'split'
      readonly code: string
      /** The first day of the new share. Of a split: the day trading goes on, after a halt of some days. */
      readonly exDay: string
      /** When the new shares are in the accounts: of a split the ex-day. */
      readonly creditDay: string
      /** Shares after for each one before: 2 of a bonus issue 1:1, 5 of a split 1:5, 0.1 of ten that become one. */
      readonly ratio: number
      /** Won that a new share costs its holder: of a rights issue, else 0. */
      readonly paid: number
    }

  /** The company goes into another, or its share gets another code: trading stops, then the share is gone and its holders have the other. */
  | {
      readonly kind: 'merged'
      readonly code: string
      readonly into: string
      /** The first day without trading. */
      readonly stopsOn: string
      /** The first day on which the share is the other one. */
      readonly day: string
      /** Shares of the other one for each; 1 of a mere change of the code. */
      readonly ratio: number
    }

export type CorporateAction = HappeningOf<'corporateAction'>

export type HappeningOf<Kind extends Happening['kind']> = Extract<Happening, { kind: Kind }>
