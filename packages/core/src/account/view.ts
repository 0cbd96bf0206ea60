import type { RefusalCause } from './refusal-cause.ts'
import type { Book, Side, Venue } from './types.ts'

/** What is known only in this process and may be forgotten at any moment. */
export interface View {
  readonly connection: ConnectionView
  readonly readSchedule: ReadSchedule
  readonly cash: CashView
  readonly orders: OrdersView
  readonly stocks: StocksView
}

/** How this process and the account stand to the broker. */
export interface ConnectionView {
  /** The broker can be reached with the user's key. */
  readonly authorised: boolean
  /** Book and broker were compared since the key or the socket came (back). */
  readonly armed: boolean
  /** When the socket last came (back), or the key came or went: only readings asked since then arm the account. */
  readonly linkedAt: number
  /**
   * How late what was on its way when the process before ended may come, ms, where that is to be decided once the time is known; else
   * null.
   */
  readonly inheritedMs: number | null
}

/** When the broker's lists were read, and when they should be read next. */
export interface ReadSchedule {
  readonly running: boolean
  /** When the running reading was asked; one that never comes back is asked again. */
  readonly startedAt: number
  /** The next reading leaves no earlier: the last ones failed, or one has just come. */
  readonly notBefore: number
  /** Failures in a row, and the last one in words for people. */
  readonly failures: number
  readonly failure: string | null
  /** When the list of executions should be read next; null: only by the timer. */
  readonly dueAt: number | null
  readonly lastAt: number
  /** The stock whose list was asked for last by itself, when, and whether it is still out. */
  readonly alone: { readonly code: string; readonly at: number; readonly out: boolean }
  /** When a reading with the balance last came. */
  readonly lastBalanceAt: number
  readonly lastComparedAt: number
}

/** The broker's answer to what the account may spend. */
export interface CashView {
  /** Won the broker lets this account spend without credit, and when that question left. */
  readonly answer: { readonly amount: number; readonly at: number } | null
  /** Since when a question is out; null: none is. */
  readonly askedAt: number | null
  /** The next question leaves no earlier: the last one failed. */
  readonly notBefore: number
  /** Why it failed, in words for people; null after an answer. */
  readonly failure: string | null
  /** When the broker took which buy: answers asked before do not know of it. */
  readonly acceptedAt: ReadonlyMap<number, number>
}

/** What is known of single orders beside the book. */
export interface OrdersView {
  /** Orders whose cancel has no answer yet: it may still wait for its turn in our own queue. */
  readonly cancelsOut: ReadonlySet<number>
  /** After a failed cancel the next waits until here, per order. */
  readonly cancelAfter: ReadonlyMap<number, number>
  /** Unknown orders for which a person let us take the likeliest of several equal orders at the broker. */
  readonly operatorConfirmed: ReadonlySet<number>
  /** Orders without a verdict when the clock was set, or made at a time to come: the broker may have them at any time of the day. */
  readonly clockUncertain: ReadonlySet<number>
  /** When the first complete reading past the listing lag was asked that misses an order which should be there. */
  readonly missingSince: ReadonlyMap<number, number>
  /** Live orders with a number that a conclusive reading did not show: when it was asked, and whether a later one missed it too. */
  readonly unlisted: ReadonlyMap<number, { readonly first: number; readonly again: boolean }>
  /** Shares filled according to notices, per broker number: the ledger must catch up with them. */
  readonly noticedFills: ReadonlyMap<string, number>
  /** Broker numbers of orders that a notice called refused by the exchange. */
  readonly refusedByNotice: ReadonlySet<string>
  /** When the broker refused to cancel an order because nothing of it is left. */
  readonly nothingLeft: ReadonlyMap<number, number>
  readonly noticedAt: number
  /** Orders of the broker's list that are not ours, as last seen, by day and number. */
  readonly strangers: ReadonlyMap<string, Stranger>
  /** Rows of that list without an order of ours, by day and number: the id of the first order that was made after the row was seen. */
  readonly seenBefore: ReadonlyMap<string, number>
  /** Sales of a person that wait for older orders to be cancelled, or for room for their own. */
  readonly pendingSales: readonly PendingSale[]
}

/** What is known of single stocks beside the book, by code. */
export interface StocksView {
  /** Differences seen once; believed when seen again in a later reading. */
  readonly suspectedMismatches: ReadonlyMap<
    string,
    { readonly broker: number; readonly book: number; readonly at: number }
  >
  /** Automatic orders wait after one did not go through: of a stock (`005930`), or of one side of it (`buy 005930`). */
  readonly waits: ReadonlyMap<string, Wait>
  /** Stocks whose orders NXT refused today: they go to KRX. */
  readonly notOnNxt: ReadonlySet<string>
  /** Stocks whose automatic buy a person cancelled: no other until 주문 적용, new settings or the next day. */
  readonly heldBuys: ReadonlySet<string>
  /** Orders that price and settings ask for and that something of ours holds back, since when: `buy 005930`, `sell 005930`. */
  readonly dueSince: ReadonlyMap<string, number>
  /** Stocks where somebody else's order has filled, since when: compared at once, no automatic buy before. */
  readonly strangerFillsSince: ReadonlyMap<string, number>
  /** Shares that somebody else's orders had brought in (sold: negative) when book and broker last agreed. */
  readonly agreedStrangers: ReadonlyMap<string, number>
  /** Shares that somebody else's orders had bought and sold when the person corrected the stock of a restored book. */
  readonly correctedStrangers: ReadonlyMap<string, number>
  /** Stocks with shares of the person's that were not compared yet since the account was armed. */
  readonly uncompared: ReadonlySet<string>
}

/** Automatic orders of a stock wait from `at` until `until`, for the `tries`-th time in a row. */
export interface Wait {
  /** `notPlaced`: the order never left, or never came to be. */
  readonly cause: RefusalCause | 'notPlaced'
  readonly at: number
  readonly until: number
  readonly tries: number
  /** The broker's, where it refused. Views stored before this version lack them. */
  readonly words?: string | null
}

/** An order of the broker's list that is not ours. */
export interface Stranger {
  readonly day: string
  readonly code: string
  /** Of the stock, as the broker writes it. */
  readonly name: string
  readonly odno: string
  readonly side: Side
  readonly venue: Venue
  /** Won; the broker's list may show 0 for an order without a price. */
  readonly price: number
  readonly count: number
  readonly orderedAt: number | null
  readonly filledCount: number
  readonly remainingCount: number
  /** It stands in the place of another order that was changed: nobody says to which of the two a fill is counted. */
  readonly replaces: string | null
}

/**
 * A person's sale that waits for older orders of its lots to be cancelled, or for room for its own orders. Forgotten at a
 * restart: it was not answered.
 */
export interface PendingSale {
  readonly ticket: number
  readonly code: string
  /** Lots that have no order of this sale yet. */
  readonly lotIds: readonly number[]
  readonly how: 'target' | 'price' | 'market'
  readonly price: number
  readonly slices: number
  /** Shares of these lots that are not to be sold: of the last in the order of their targets. */
  readonly kept: number
  readonly until: number
  /** The lots of each order still to be placed; null until the first one may be. */
  readonly unplaced: readonly (readonly number[])[] | null
  /** Orders placed so far. */
  readonly orderIds: readonly number[]
}

export const emptyView: View = {
  connection: { authorised: false, armed: false, linkedAt: 0, inheritedMs: null },
  readSchedule: {
    running: false,
    startedAt: 0,
    notBefore: 0,
    failures: 0,
    failure: null,
    dueAt: null,
    lastAt: 0,
    alone: { code: '', at: 0, out: false },
    lastBalanceAt: 0,
    lastComparedAt: 0,
  },
  cash: { answer: null, askedAt: null, notBefore: 0, failure: null, acceptedAt: new Map() },
  orders: {
    cancelsOut: new Set(),
    cancelAfter: new Map(),
    operatorConfirmed: new Set(),
    clockUncertain: new Set(),
    missingSince: new Map(),
    unlisted: new Map(),
    noticedFills: new Map(),
    refusedByNotice: new Set(),
    nothingLeft: new Map(),
    noticedAt: 0,
    strangers: new Map(),
    seenBefore: new Map(),
    pendingSales: [],
  },
  stocks: {
    suspectedMismatches: new Map(),
    waits: new Map(),
    notOnNxt: new Set(),
    heldBuys: new Set(),
    dueSince: new Map(),
    strangerFillsSince: new Map(),
    agreedStrangers: new Map(),
    correctedStrangers: new Map(),
    uncompared: new Set(),
  },
}

/** The durable book and what this process knows beside it. */
export interface Account {
  readonly book: Book
  readonly view: View
}

export const newAccount = (book: Book): Account => ({ book, view: emptyView })
