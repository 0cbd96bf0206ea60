import type { Side, Venue } from '@digger/core'
import type { KisCredentials, KisEnv } from '@digger/kis'

/** One pretend customer: an account and the keys that open it. */
export interface SimAccount {
  readonly credentials: KisCredentials
  /** Which of the broker's two worlds the keys belong to. Default real. */
  readonly env?: KisEnv
  /** Cash to begin with, won. Default 100 million. */
  readonly cash?: number
  readonly holdings?: readonly { readonly code: string; readonly count: number; readonly averagePrice: number }[]
  /** Name printed in notices. */
  readonly ownerName?: string
  /** Brokerage in percent of the deal. Default: the usual 0.015. */
  readonly brokeragePercent?: number
  /** Deposit needed for a purchase, percent. Below 100 the broker lends the rest until settlement. Default 100. */
  readonly marginPercent?: number
}

export type Change = 'modify' | 'cancel'

/** An order, a modification or a cancellation as the broker accepted it. */
export interface AcceptedOrder {
  /** KST day; numbers are unique within it. */
  readonly day: string
  readonly odno: string
  /** Account of ten digits. */
  readonly account: string
  readonly code: string
  readonly side: Side
  /** ORD_DVSN. */
  readonly division: string
  readonly count: number
  /** Limit, won; 0 when the kind of order has none. */
  readonly price: number
  /** Trigger of a stop-limit order, else 0. */
  readonly trigger: number
  readonly venue: Venue
  /** Where it went: SOR is decided on arrival at the broker. */
  readonly routed: 'KRX' | 'NXT'
  /** The number that a modification or cancellation changes; null for a new order. */
  readonly original: string | null
  readonly change: Change | null
  /** Won per share that a live buy reserves: the limit, or the day's upper limit when it has none. */
  readonly reservedPrice: number
  /** The account's owner gave it in the broker's own app. */
  readonly byPhone?: true
  readonly at: number
}

export type Reduction = 'cancelled' | 'modified' | 'expired' | 'immediate' | 'rejected'

/** What really happened, in order. The accounts are the sum of these. */
export type Fact =
  | { readonly kind: 'opened'; readonly at: number; readonly account: string; readonly spec: SimAccount }
  | {
      readonly kind: 'set'
      readonly at: number
      readonly account: string
      readonly cash?: number
      readonly holding?: { readonly code: string; readonly count: number; readonly averagePrice: number }
    }
  | { readonly kind: 'accepted'; readonly at: number; readonly account: string; readonly order: AcceptedOrder }
  | {
      readonly kind: 'filled'
      readonly at: number
      readonly account: string
      readonly day: string
      readonly odno: string
      readonly code: string
      readonly side: Side
      readonly price: number
      readonly count: number
      readonly venue: 'KRX' | 'NXT'
      /** Brokerage and tax this fill adds to its order's, won. */
      readonly fee: number
      readonly tax: number
      /** KST day the money moves: two business days on. */
      readonly settles: string
    }
  | {
      /** Shares that will no longer trade under this number. */
      readonly kind: 'reduced'
      readonly at: number
      readonly account: string
      readonly day: string
      readonly odno: string
      readonly count: number
      readonly why: Reduction
      /** The modification or cancellation that did it. */
      readonly by: string | null
    }
  | {
      /** Cash of a dividend, in the deposit at once. */
      readonly kind: 'dividend'
      readonly at: number
      readonly account: string
      readonly code: string
      readonly exDay: string
      /** Shares held when the ex-day began. */
      readonly count: number
      /** Won after tax. */
      readonly won: number
      readonly tax: number
    }
  | {
      /** Shares that a corporate action brings, or takes: of a split, a bonus issue. */
      readonly kind: 'credited'
      readonly at: number
      readonly account: string
      readonly code: string
      readonly exDay: string
      readonly count: number
      /** Won that the new shares cost their holder; the shares held share the sum. */
      readonly cost: number
      /** Won into the deposit, for parts of a share; less than 0 where the new ones are paid for. */
      readonly won: number
    }
  /** A KST day began: what was due settles, counters of the day start over. */
  | { readonly kind: 'day'; readonly at: number; readonly day: string }

export type FilledFact = Extract<Fact, { kind: 'filled' }>
export type ReducedFact = Extract<Fact, { kind: 'reduced' }>
