import type { FirstDaysRule, LimitChange, LimitState } from './limits/types.ts'
import type { Route, VenueChoices } from '../krx/route.ts'
import type { Issue, PriceBand, Side, Venue } from '../krx/types.ts'
import type { BuyPlan, Lot, Reason, SellPlan, Settings } from '../ladder/types.ts'
import type { Realised } from '../ladder/gain.ts'
import type { RefusalCause } from './refusal-cause.ts'

/** What may leave the account: everything, sells only, nothing new. The strictest of server, user and stock decides. */
export type Stop = 'active' | 'reduce' | 'halt'

/** Who asked for an order. Only automatic orders are cancelled by a change of settings. */
export type Origin = 'auto' | 'person'

/**
 * intended → the row is durable, the call may or may not have left · unknown → it left, no verdict came back ·
 * open → the broker gave a number · cancelling → a cancel was asked · the rest are ends.
 */
export type OrderStatus = 'intended' | 'unknown' | 'open' | 'cancelling' | OrderEnd
export type OrderEnd = 'filled' | 'cancelled' | 'rejected' | 'expired' | 'notPlaced'
/** limit: at a price · market: at any price · best: the opposite side's best price becomes the limit. */
export type OrderType = 'limit' | 'market' | 'best'

export interface Order {
  /** Ours, counted per account; the broker's number is `odno`. */
  readonly id: number
  readonly code: string
  readonly side: Side
  readonly origin: Origin
  readonly type: OrderType
  /** Won; 0 when the type has no price. */
  readonly price: number
  readonly count: number
  readonly venue: Venue
  /** Session the order was made for: plain, or one with codes of its own. */
  readonly session: Route['session']
  /** Sells: whose shares, in the order they are booked. Buys: the number reserved for the lot they will make. */
  readonly lots: readonly { readonly lotId: number; readonly count: number }[]
  readonly status: OrderStatus
  /** KST day of the order; broker numbers are unique per day only. */
  readonly day: string
  readonly odno: string | null
  readonly orgno: string | null
  readonly filledCount: number
  readonly filledAmount: number
  /** Won a live buy may still cost; market buys reserve at the upper limit price. */
  readonly reservedPrice: number
  readonly createdAt: number
  /** Last change of status or fill. */
  readonly updatedAt: number
  /** Why it was made: the rule's own sentence, for 왜 샀나. */
  readonly why: string
  /** The broker's or our message on why it ended or was lost. */
  readonly note: string | null
  /**
   * Its reply was lost: only lists asked from here on prove by its absence that it was not placed, epoch ms. It stays when
   * the order is settled. Null: its reply was never lost.
   */
  readonly absentFrom: number | null
  /** Digger asked the broker to cancel it, for whatever reason. */
  readonly cancelAsked: boolean
  /** It is to go: cancelled as soon as it can be, by whichever process has the account then, and not sent where it has not left. */
  readonly cancelWanted: boolean
  /** The cause of its reject. Memory only, for orders that were out together: the tables forget it. */
  readonly refusedFor?: RefusalCause
}

export interface Stock {
  readonly issue: Issue
  readonly name: string
  readonly settings: Settings
  readonly stop: Stop
  /** Why Digger itself stopped buying here (book ≠ broker, three rejects, ambiguous order); null when it did not. */
  readonly blocked: Blocked | null
  /** Shares at the broker that are the person's own: in no lot, and never sold by Digger. */
  readonly kept: number
  /** Only rehearsed: none of its orders is sent. */
  readonly shadow: boolean
  /** Its base price moved: nothing automatic until a person settles it. */
  readonly frozen: BaseMove | null
  /** KST day of the newest move that a person has settled. */
  readonly settledOn: string | null
  /** What `frozen` and `settledOn` are made of; null: neither was ever, or before 25 November 2026. */
  readonly moves: MoveRecord | null
  readonly expected: ExpectedShares | null
  readonly priceSubscribed: boolean
  /** Open lots, by number. */
  readonly lots: readonly HeldLot[]
  /** Ready for the hot path; null when autoBuy is off or cannot work. Derived from the settings. */
  readonly nextBuyPrice: number | null
  /** Realised so far, gross, won. */
  readonly accGainAmount: number
  /** Rejects in a row: since the last fill or other end of an order. */
  readonly rejects: number
  /** Counts changes of the settings, the reference among them, so that an edit of an old copy is refused. */
  readonly version: number
  readonly updatedAt: number
  readonly checkedAt: number | null
}

/** The base price of a day is not the last regular close before it: shares were split, merged, or new ones given. Won. */
export interface BaseMove {
  readonly day: string
  readonly close: number
  readonly base: number
  /** Shares after for each one before, where that was announced and both prices agree with it: more exact than they are. */
  readonly ratio?: number
  /** All that became of the share since this day's close, by its chart: moves of days after it are in this one. */
  readonly since?: string
  /** What it is made of, oldest first, where it is of several days. */
  readonly parts?: readonly BaseMove[]
}

/** Moves of the base price that wait for a person, and the newest that one has settled. */
export interface MoveRecord {
  /** One a day, oldest first: together they are what the stock is frozen for. */
  readonly open: readonly BaseMove[]
  /** What the settings said when the first of them was seen. */
  readonly prices: SettingPrices | null
  /** Of the day of `settledOn`; null: not known. `adjusted`: prices and lots are of the share with this base. */
  readonly settled: SettledMove | null
}

export interface SettledMove {
  readonly close: number
  readonly base: number
  readonly adjusted: boolean
  /** With those settled before and together with it; absent: it alone is known. */
  readonly moves?: readonly BaseMove[]
}

/** Prices of the settings that follow a move of the base price, won. */
export type SettingPrices = Pick<Settings, 'lastBuyPrice' | 'maxBuyPrice' | 'minSellPrice'>

/** A day on which the share becomes another one, as the depository has announced it. */
export interface AnnouncedAction {
  /** New shares for nothing, for money, as a dividend; another face value, by which shares are split or joined. */
  readonly kind: 'bonusIssue' | 'rightsIssue' | 'stockDividend' | 'faceValue'
  /** First KST day of the new share. */
  readonly day: string
  /** Shares after for each one before. */
  readonly ratio: number
  /** Won that a new share costs its holder; 0: nothing. */
  readonly paid: number
  /** When the new shares are in the accounts; null: not settled yet. */
  readonly creditDay: string | null
}

/** New shares of a corporate action that are not in the account yet, and what they cost. */
export interface ExpectedShares {
  readonly count: number
  readonly amount: number
  /** Beside those: of the shares that the person keeps out of the book. Absent: none. */
  readonly ofPerson?: number
}

export interface Blocked {
  readonly code: 'mismatch' | 'rejects' | 'ambiguous'
  /** The broker holds fewer shares than the book: automatic sells wait too. */
  readonly short: boolean
  /** Only buys were refused, so targets go on resting. Absent in what was stored before this version: false. */
  readonly buysOnly?: boolean
  /** Of a book that was put back from a backup: no agreement about shares ends it, only its person's correction. Absent: false. */
  readonly untilCorrected?: true
  /** No reading has shown other shares than the book's: it is no evidence of a difference. Absent: false. */
  readonly equal?: true
  readonly text: string
  readonly at: number
}

/** One difference between book and broker. */
export interface Difference {
  readonly code: string
  readonly what: 'shares' | 'order'
  readonly book: number
  readonly broker: number
  readonly text: string
}

/**
 * What the server's environment sets for every account. Null: no limit. Users' own (limits/types.ts) are none above the first three.
 */
export interface ServerLimits {
  readonly orderAmount: number | null
  readonly dailyBuyAmount: number | null
  readonly ordersPerMinute: number | null
  /** Percent an automatic order may lie away from the last trade. */
  readonly collarPercent: number | null
  /** Oldest last trade a buy may act on, ms. */
  readonly freshMs: number
  /** What an account that never ordered begins with; absent: nothing. */
  readonly firstDays?: FirstDaysRule
  /** Limits of users who set none themselves; absent: none. */
  readonly defaults?: LimitChange
}

/** Shares bought together. `buyOrderId` names the buy while it may still grow; such a lot is not sold yet. */
export interface HeldLot extends Lot {
  readonly buyOrderId: number | null
  /** A person cancelled its automatic sale: it waits for 주문 적용, new settings, or the next day. */
  readonly heldBack: boolean
  /** It came into the book by a correction: nobody has agreed to sell it automatically yet. */
  readonly takenOver: boolean
  /** Bought beside the ladder, by hand here or by whomever elsewhere. Absent: the ladder's, or stored before it was asked. */
  readonly byPerson?: boolean
  /** Won of the same buy that the lot it was split off kept: the broker cuts the fee of a whole buy. Absent: none. */
  readonly boughtBefore?: number
}

/** What a lot costs. */
export type LotCost = Pick<HeldLot, 'id' | 'buyPrice' | 'buyAmount'>

/** A trade that is over: (part of) a lot and its sale. */
export interface ClosedTrade {
  readonly id: number
  readonly code: string
  readonly count: number
  readonly buyPrice: number
  readonly buyAmount: number
  readonly boughtAt: number
  /** Average of the fill, rounded down to a won; null when no execution is known (a correction). */
  readonly sellPrice: number | null
  readonly sellAmount: number | null
  readonly soldAt: number
  /** KST day of the sale. */
  readonly day: string
  /** Fees of both sides, won. */
  readonly fee: number
  /** Tax of the sale, won. */
  readonly tax: number
}

/** What says that another server trades this account, too. A sign is the day and number of an order, or that the key is held. */
export interface OtherServer {
  /** No order leaves until the person has decided; null: nothing is to be decided. */
  readonly suspected: { readonly text: string; readonly at: number; readonly signs: readonly string[] } | null
  /** Signs of the book's day that the person knows of. */
  readonly known: readonly string[]
}

/** The durable truth of one account. Changes only by `evolve`. */
export interface Book {
  readonly stocks: ReadonlyMap<string, Stock>
  /** Live orders, and ended ones of `day` (for the limits and for matching the broker's list). */
  readonly orders: ReadonlyMap<number, Order>
  readonly stop: Stop
  /** Stocks added from now on are only rehearsed. */
  readonly shadow: boolean
  readonly venues: VenueChoices
  readonly limits: LimitState
  readonly otherServer: OtherServer
  /** Won that sales of `day` realised after costs. */
  readonly gainToday: number
  /** The same by code, with stocks that are not listed any more. */
  readonly realisedToday: ReadonlyMap<string, Realised>
  /** KST day this book is in. */
  readonly day: string
  readonly nextOrderId: number
  readonly nextLotId: number
}

export type { BuyPlan, Issue, Lot, PriceBand, Reason, SellPlan, Settings, Side, Venue }
export type { BrokerBalance, Execution, Holding } from './broker-rows.ts'
