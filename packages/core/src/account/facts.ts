import type { VenueChoices } from '../krx/route.ts'
import type { FirstDays, LimitChange, PendingLimit, StoppingLimit } from './limits/types.ts'
import type { RefusalCause } from './refusal-cause.ts'
import type {
  BaseMove,
  Blocked,
  ClosedTrade,
  ExpectedShares,
  HeldLot,
  Issue,
  LotCost,
  MoveRecord,
  Order,
  OrderEnd,
  Settings,
  Stop,
} from './types.ts'

/**
 * Everything that ever changed an account, as plain data. The journal is a list of these; `evolve` is their meaning.
 * `at` is epoch ms. Facts carry results, not intentions, so replaying them needs no rule and no price.
 */
export type Fact = { readonly at: number } & (
  | { readonly kind: 'dayOpened'; readonly day: string }
  | { readonly kind: 'userStopped'; readonly stop: Stop }
  | { readonly kind: 'venuesChosen'; readonly venues: VenueChoices }
  /** All the user's limits as they are now, and the loosenings that wait. */
  | { readonly kind: 'limitsSet'; readonly own: LimitChange; readonly pending: readonly PendingLimit[] }
  /** How the first days with real money stand from now on. */
  | { readonly kind: 'firstDaysSet'; readonly firstDays: FirstDays }
  /** The account stops buying by itself. */
  | { readonly kind: 'limitReached'; readonly limit: Exclude<StoppingLimit, 'repeatCount'>; readonly text: string }
  /** One stock stops buying by itself. */
  | { readonly kind: 'stockLimitReached'; readonly code: string; readonly limit: 'repeatCount'; readonly text: string }
  /** When orders of the last hour lost their outcome, epoch ms. */
  | { readonly kind: 'unknownCounted'; readonly lostAt: readonly number[] }
  /** All signs so far: the account stops until its person has decided. */
  | { readonly kind: 'otherServerSuspected'; readonly signs: readonly string[]; readonly text: string }
  /** The person let the account go on. `known`: signs that stop it no more on this day. */
  | { readonly kind: 'otherServerDismissed'; readonly known: readonly string[] }
  | {
      readonly kind: 'stockAdded'
      readonly code: string
      readonly name: string
      readonly issue: Issue
      readonly settings: Settings
      /** Its prices were given on this KST day, after the open. Facts written before 24 November 2026 do not say. */
      readonly settledOn?: string
    }
  | { readonly kind: 'settingsSaved'; readonly code: string; readonly settings: Settings }
  | { readonly kind: 'issueChanged'; readonly code: string; readonly name: string; readonly issue: Issue }
  | { readonly kind: 'stockRemoved'; readonly code: string }
  | { readonly kind: 'stockStopped'; readonly code: string; readonly stop: Stop }
  /** `rejects`: what the count of rejects goes on from when a stop is lifted; absent: 0. */
  | {
      readonly kind: 'stockBlocked'
      readonly code: string
      readonly blocked: Blocked | null
      readonly rejects?: number
    }
  | { readonly kind: 'sharesKept'; readonly code: string; readonly count: number }
  /** Its orders are sent no more, or again. */
  | { readonly kind: 'stockShadowed'; readonly code: string; readonly shadow: boolean }
  /** Whether stocks added from now on are only rehearsed. */
  | { readonly kind: 'newStocksShadowed'; readonly shadow: boolean }
  /** The person agreed that these lots are sold automatically. */
  | { readonly kind: 'lotsReleased'; readonly code: string; readonly lotIds: readonly number[] }
  /** All moves that wait for a person, as one. `moves`: facts written before 25 November 2026 lack it; then it is forgotten. */
  | {
      readonly kind: 'stockFrozen'
      readonly code: string
      readonly move: BaseMove
      readonly moves?: MoveRecord
    }
  /** Nothing was adjusted; `settledOn`: as the stock has it from now on. */
  | {
      readonly kind: 'stockThawed'
      readonly code: string
      readonly settledOn: string | null
      readonly moves?: MoveRecord
    }
  /** Settings and open lots as they are from now on. */
  | {
      readonly kind: 'stockAdjusted'
      readonly code: string
      readonly move: BaseMove
      readonly settings: Settings
      readonly lots: readonly HeldLot[]
      readonly expected: ExpectedShares | null
      /** Absent: as many as before. */
      readonly kept?: number
      readonly moves?: MoveRecord
    }
  /** (Some of) the expected shares came, or are expected no more. */
  | { readonly kind: 'sharesExpected'; readonly code: string; readonly expected: ExpectedShares | null }
  /** They never come: what these lots cost from now on, with what was kept for those. */
  | { readonly kind: 'expectedGivenUp'; readonly code: string; readonly lots: readonly LotCost[] }
  | { readonly kind: 'stockChecked'; readonly code: string }
  | { readonly kind: 'subscribed'; readonly code: string; readonly subscribed: boolean }
  | { readonly kind: 'referenceMoved'; readonly code: string; readonly price: number | null; readonly why: string }
  | { readonly kind: 'orderIntended'; readonly order: Order }
  | { readonly kind: 'orderAccepted'; readonly orderId: number; readonly odno: string; readonly orgno: string }
  /** The reply was lost; the ledger shows the order. */
  | { readonly kind: 'orderFound'; readonly orderId: number; readonly odno: string; readonly orgno: string }
  /** `absentFrom`: see `Order`. Facts written before 22 November 2026 lack it; then it is 20 s after the loss. */
  | { readonly kind: 'orderLost'; readonly orderId: number; readonly note: string; readonly absentFrom?: number }
  /** A person wants the order gone: cancelling is asked, and asked again, until it is over. */
  | { readonly kind: 'cancelWanted'; readonly orderId: number }
  | { readonly kind: 'cancelAsked'; readonly orderId: number }
  | { readonly kind: 'cancelRefused'; readonly orderId: number; readonly note: string }
  /** Totals so far, as the broker reports them. */
  | { readonly kind: 'orderFilled'; readonly orderId: number; readonly count: number; readonly amount: number }
  /** `cause`: of a reject. Facts written before 24 November 2026 lack it, and each of those counted against the stock. */
  | {
      readonly kind: 'orderEnded'
      readonly orderId: number
      readonly end: OrderEnd
      readonly note: string | null
      readonly cause?: RefusalCause
    }
  /** The lot as it is now; a growing buy repeats it with more. */
  | { readonly kind: 'lotBought'; readonly code: string; readonly lot: HeldLot }
  /** `count` shares of the lot become a lot of their own. `boughtBefore`: its `HeldLot.boughtBefore`; of 24 November 2026 and before: absent. */
  | {
      readonly kind: 'lotSplit'
      readonly code: string
      readonly lotId: number
      readonly newLotId: number
      readonly count: number
      readonly boughtBefore?: number
    }
  | {
      readonly kind: 'lotsHeldBack'
      readonly code: string
      readonly lotIds: readonly number[]
      readonly heldBack: boolean
    }
  /** (Part of) a lot was sold; `trade.id` is the lot's own number when nothing of it is left. */
  | { readonly kind: 'lotSold'; readonly lotId: number; readonly trade: ClosedTrade }
)
