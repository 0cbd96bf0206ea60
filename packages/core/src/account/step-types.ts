import type { IssueStatus } from '../krx/issue-status.ts'
import type { VenueChoices } from '../krx/route.ts'
import type { Timetable } from '../krx/session.ts'
import type { Fact } from './facts.ts'
import type { FirstDaysRule, LimitChange } from './limits/types.ts'
import type { RefusalCause } from './refusal-cause.ts'
import type { SeenPrice } from './seen-price.ts'
import type {
  BaseMove,
  BrokerBalance,
  Difference,
  Execution,
  ExpectedShares,
  Issue,
  OrderType,
  Origin,
  PriceBand,
  ServerLimits,
  Settings,
  Side,
  Stock,
  Stop,
} from './types.ts'
import type { Account } from './view.ts'

export type { Account }

/** The last trade of a stock as this process knows it. */
export interface Quote {
  readonly price: number
  /** When the trade was seen, epoch ms. */
  readonly at: number
  /** Since when the price is known, where it was only read: epoch ms. Absent: since `at`. */
  readonly shownAt?: number
  /** False for the first trade after a gap in the feed: it only re-bases, and buys nothing. */
  readonly live: boolean
  readonly halted: boolean
  /** What the exchange has designated it as; absent: not read yet. */
  readonly statuses?: readonly IssueStatus[] | undefined
  /** Null until the day's limits were read. */
  readonly band: PriceBand | null
  /** How the day's base price lies to the last regular close; absent: not known yet. */
  readonly moved?: BaseMove | null | undefined
  /** Two sources of the day differ about its base, so that one of them is of another day. Absent: they do not. */
  readonly isDoubted?: boolean
}

/** What nobody who orders automatically should go by. What is absent is in order, or nobody can say. */
export interface Doubts {
  /** By how much the broker's clock is ahead of ours, ms: said twice, and not taken over yet. */
  readonly clockOffMs?: number
  /** The broker lists today as open and the calendar does not, and no operator has spoken of it. */
  readonly isDayDisputed?: true
  /** The broker refused the key or the HTS ID where it would send prices and notices, or gave no key that opens these. */
  readonly noticesRefused?: true
}

/** Everything outside the account that a decision may look at. Time is an argument. */
export interface Context {
  readonly now: number
  /** This process has not held its clock against the broker's yet: `now` may be hours off. */
  readonly isTimeUnknown?: true
  /** Absent: nothing is in doubt. */
  readonly doubts?: Doubts
  readonly env: 'real' | 'paper'
  readonly timetable: Timetable
  readonly limits: ServerLimits
  readonly serverStop: Stop
  /** The whole server only rehearses. */
  readonly shadow?: true
  quote(code: string): Quote | undefined
  /** Told of every order that comes to the gate. Only a decision that is run again to be explained has it. */
  readonly atGate?: (account: Account, proposal: Proposal) => void
}

/** An order that somebody would like to send. */
export interface Proposal {
  readonly stock: Stock
  readonly side: Side
  readonly origin: Origin
  readonly type: OrderType
  /** Won; 0 when the type has no price. */
  readonly price: number
  /** Won per share the order may cost at worst. */
  readonly reservedPrice: number
  readonly count: number
  readonly lotIds: readonly number[]
}

/** What people and the administrator ask of an account. */
export type AccountCommand =
  /** `listing` is given when the stock may be new. `version`: the one the person saw, null to skip the check. */
  | {
      readonly kind: 'updateStock'
      readonly code: string
      readonly version: number | null
      readonly settings: Settings
      readonly listing: { readonly issue: Issue; readonly name: string } | null
    }
  | { readonly kind: 'deleteStock'; readonly code: string }
  | { readonly kind: 'setSubscribed'; readonly code: string; readonly subscribed: boolean }
  /** Every open lot is to rest at its target. */
  | { readonly kind: 'sellStock'; readonly code: string }
  /** The available holding at one price in `slices` orders. */
  | {
      readonly kind: 'sellAtPrice'
      readonly code: string
      readonly price: number
      readonly slices: number
      /** Shares; without it all that may be sold. */
      readonly count?: number
    }
  | {
      readonly kind: 'sellAtMarket'
      readonly code: string
      readonly count?: number
      readonly seen?: SeenPrice | undefined
    }
  | {
      readonly kind: 'sellTrade'
      readonly code: string
      readonly tradeId: number
      readonly how: 'target' | 'current' | 'market'
      readonly seen?: SeenPrice | undefined
    }
  /** Null: all stocks. */
  | { readonly kind: 'cancelOrders'; readonly code: string | null }
  /** Nothing new leaves, and what rests is cancelled. `own`: also what a person ordered; else only automatic orders. */
  | { readonly kind: 'stopAll'; readonly own: boolean }
  /** By the broker's number, or by ours while there is none. */
  | { readonly kind: 'cancelOrder'; readonly odno: string }
  | { readonly kind: 'cancelOrder'; readonly id: number }
  | { readonly kind: 'applyOrder'; readonly code: string }
  | {
      readonly kind: 'marketBuy'
      readonly code: string
      /** Won, already multiplied. */
      readonly amount: number
      /** Absent: nobody was shown anything. */
      readonly seen?: SeenPrice | undefined
      /** Won that may be spent without credit, and when that question left. */
      readonly cash: number
      readonly askedAt: number
    }
  /** Compares book and broker and stores time and differences. Null: every stock. */
  | { readonly kind: 'checkBalance'; readonly code: string | null; readonly snapshot: BrokerSnapshot }
  /** As `checkBalance`, and corrects the book. */
  | { readonly kind: 'fixBalance'; readonly code: string | null; readonly snapshot: BrokerSnapshot }
  | {
      readonly kind: 'setStop'
      readonly level: 'user' | 'stock'
      readonly code: string | null
      readonly stop: Stop
      /** Newest journal row when the person asked: a looser stop undoes none from after it. Absent: whatever is there. */
      readonly seen?: number | undefined
    }
  /** Shares of the stock at the broker that stay out of the book. */
  | { readonly kind: 'keepShares'; readonly code: string; readonly count: number }
  /** Lots that a correction took over may be sold automatically from now on. */
  | { readonly kind: 'releaseLots'; readonly code: string; readonly lotIds: readonly number[] }
  /** Prices and lots follow the move of the base price that the person saw: of `day`. */
  | {
      readonly kind: 'adjustStock'
      readonly code: string
      readonly day: string
      /** The base, and the version of the settings, in what the person saw; absent: not said. */
      readonly base?: number | undefined
      readonly version?: number | undefined
      /** Shares at the broker in what the person saw. */
      readonly held: number
      readonly snapshot: BrokerSnapshot
    }
  /** They stay as they are. */
  | { readonly kind: 'keepStock'; readonly code: string; readonly day: string; readonly base?: number | undefined }
  /** Expected shares never come. As the person saw it: those, and how many lots get back what was kept for them. */
  | {
      readonly kind: 'giveUpExpected'
      readonly code: string
      readonly seen: ExpectedShares
      /** Those that the amount came out of, and the won they cost. */
      readonly lots: number
      readonly cost: number
      readonly snapshot: BrokerSnapshot
    }
  | { readonly kind: 'setVenues'; readonly venues: VenueChoices }
  /** Whether a stock is only rehearsed; null: every stock, and those added from now on. */
  | { readonly kind: 'setShadow'; readonly code: string | null; readonly shadow: boolean }
  /** The person has looked whether another server trades the account: it goes on. */
  | {
      readonly kind: 'dismissOtherServer'
      /** Whether this server has the broker's socket, and so no other with the same key. */
      readonly connected?: boolean
    }
  /** Tightens at once, loosens from the opening of the next day. */
  | { readonly kind: 'setLimits'; readonly change: LimitChange }
  /** The same for the first days with real money. */
  | { readonly kind: 'setFirstDays'; readonly rule: FirstDaysRule }

/** What the broker's lists showed. Complete, error-free lists only: whoever makes one has walked every page. */
export interface BrokerSnapshot {
  readonly askedAt: number
  readonly from: string
  readonly to: string
  readonly executions: readonly Execution[]
  /** Null when only the executions were read. */
  readonly balance: BrokerBalance | null
  /** Stocks of which the balance proves nothing, because something of them changed while it was read. Absent: none. */
  readonly moved?: readonly string[]
}

export type AccountEvent =
  | { readonly kind: 'price'; readonly code: string }
  | { readonly kind: 'timer' }
  /**
   * First event after the book was loaded: what was on its way may or may not have left, and may reach the broker for up to
   * `lateMs` from now (what the kernel of the process that sent it can still deliver, and the listing lag).
   */
  | { readonly kind: 'restarted'; readonly lateMs: number }
  | { readonly kind: 'authorised'; readonly authorised: boolean }
  /** The socket came (back): notices from before may have been missed. */
  | { readonly kind: 'linked' }
  /** Another connection holds the account's key, for longer than one of ours can. */
  | { readonly kind: 'keyHeld' }
  /** Our clock was set, forward or back. */
  | { readonly kind: 'clockMoved' }
  /** `refused`: the exchange turned the order down. Absent: it did not. */
  | { readonly kind: 'notice'; readonly odno: string; readonly filledCount: number; readonly refused?: boolean }
  | { readonly kind: 'snapshot'; readonly snapshot: BrokerSnapshot }
  /**
   * `seen`: orders that a list showed before it changed, or beside rows that cannot be read; of others it says nothing.
   * `isLasting`: asked again at once it would lack the same. Absent: it may not.
   */
  | {
      readonly kind: 'snapshotFailed'
      readonly text: string
      readonly seen?: Pick<BrokerSnapshot, 'askedAt' | 'executions'>
      readonly isLasting?: boolean
    }
  /** The orders of one stock, whole; null: they could not be read. */
  | {
      readonly kind: 'stockList'
      readonly code: string
      readonly list: Omit<BrokerSnapshot, 'balance'> | null
    }
  /** Won that may be spent without credit; `askedAt`: when the question left. */
  | { readonly kind: 'cash'; readonly amount: number; readonly askedAt: number }
  | { readonly kind: 'cashFailed'; readonly text: string }
  | { readonly kind: 'accepted'; readonly orderId: number; readonly odno: string; readonly orgno: string }
  /** Inputs stored before 24 November 2026 have no cause: then the order's own. */
  | { readonly kind: 'refused'; readonly orderId: number; readonly text: string; readonly cause?: RefusalCause }
  | { readonly kind: 'unknown'; readonly orderId: number; readonly text: string }
  | { readonly kind: 'notSent'; readonly orderId: number; readonly text: string }
  | { readonly kind: 'cancelDone'; readonly orderId: number }
  /** `nothingLeft`: the broker says that nothing of it can be cancelled any more. Absent: it does not. */
  | {
      readonly kind: 'cancelFailed'
      readonly orderId: number
      readonly text: string
      readonly nothingLeft?: boolean
    }
  | { readonly kind: 'issue'; readonly code: string; readonly name: string; readonly issue: Issue }
  | { readonly kind: 'command'; readonly ticket: number; readonly command: AccountCommand }

export type Effect =
  | { readonly kind: 'send'; readonly orderId: number }
  | { readonly kind: 'cancel'; readonly orderId: number }
  /** `compare`: holdings and cash too, with executions unchanged around them. */
  /** `noticed`: stocks with fills that only notices have told of. */
  | {
      readonly kind: 'readLists'
      readonly from: string
      readonly to: string
      readonly compare: boolean
      readonly noticed?: readonly string[]
    }
  /** The list of one stock's orders, beside the reading of all. */
  | { readonly kind: 'readStock'; readonly code: string; readonly from: string; readonly to: string }
  /** One question for the whole account; the broker wants some stock named. */
  | { readonly kind: 'askCash'; readonly code: string }
  | { readonly kind: 'commandResult'; readonly ticket: number; readonly result: CommandResult }

export type CommandResult =
  | { readonly ok: true; readonly orderIds: readonly number[]; readonly differences: readonly Difference[] }
  | {
      readonly ok: false
      readonly code: 'NOT_FOUND' | 'CONFLICT' | 'INVALID' | 'STOPPED' | 'BUSY'
      readonly text: string
    }

export interface Step {
  readonly account: Account
  readonly facts: readonly Fact[]
  readonly effects: readonly Effect[]
}
