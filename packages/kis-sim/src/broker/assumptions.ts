import type { MarketAssumptions } from '../exchange/market-assumptions.ts'
import type { HourAssumptions } from '../exchange/market-hours.ts'
import type { CostAssumptions } from '../ledger/costs.ts'

/**
 * What nobody outside the broker knows for sure. Each assumption can be changed, so that a client can be tried against
 * every reading; the defaults are the likeliest ones, unless it says otherwise.
 */
export interface BrokerAssumptions extends HourAssumptions, MarketAssumptions, CostAssumptions {
  /** REST calls per second of one app key. */
  readonly callsPerSecond: { readonly real: number; readonly paper: number }
  /** Ledger queries (balance, daily-ccld, psbl-*) per second of one account; 0: not limited (EGW00215). */
  readonly ledgerCallsPerSecond: number
  /** Ms between two token issues of one key (EGW00133). The notice says 1/s, the message 1/min. */
  readonly tokenPauseMs: number
  /** A re-issue makes the older token invalid. */
  readonly olderTokenDies: boolean
  /** Ms between two PINGPONGs, drawn from this range. */
  readonly pingPongMs: readonly [number, number]
  /** An unanswered PINGPONG ends the session after this long, ms. */
  readonly pongTimeoutMs: number
  /** Ms a closed socket still holds its key (OPSP8996). */
  readonly socketReleaseMs: number
  /** Whether replies carry a Date, as servers with a clock should (RFC 9110, 6.6.1). Nobody has published a header of them. */
  readonly replyTime: 'dated' | 'undated'
  /** After so long without a request a connection for calls is closed, ms. */
  readonly idleConnectionMs: number
  /** A second registering socket is refused, or takes the key from the first. */
  readonly keyInUse: 'refuse' | 'displace'
  /** Whether a notice reports that a day order expired. */
  readonly expiryNotice: boolean
  /**
   * How daily-ccld shows a day order that expired. `rejected`: `rjct_qty` = ordered, seen on a real account (mgh3326/auto_trader,
   * 2026-06-10, all 15 unfilled orders of two days); `nothing`: `rmn_qty` 0 and no word, as cancelled orders were seen;
   * `remaining`: as if it still rested.
   */
  readonly expiredShownAs: 'rejected' | 'cancelled' | 'nothing' | 'remaining'
  /** From when on: the end of its session, the end of the day's last one (20:00), or a batch at midnight. Nobody knows. */
  readonly expiredShownFrom: 'end' | 'evening' | 'midnight'
  /** A cancellation that names another venue than its order's. */
  readonly cancelOnOtherVenue: 'refuse' | 'accept'
  /** Where daily-ccld shows the cancelled count: the order's row, the cancellation's, or both. */
  readonly cancelledShownOn: 'original' | 'change' | 'both'
  /** How daily-ccld writes order numbers. */
  readonly queryNumbers: 'zeros' | 'spaces'
  /** How daily-ccld writes "no original order". */
  readonly noOriginal: 'zeros' | 'empty'
  /** Old transaction ids reach NXT and SOR orders when they change them. */
  readonly oldIdsReachNxt: boolean
  /** Whether the ack of a registration of notices brings the key that opens them, as the broker's samples expect. */
  readonly noticeKey: 'given' | 'absent'
  /** Whether the notice channel covers accounts of the same HTS ID under other keys, too. */
  readonly noticeCoversOtherKeys: boolean
  /**
   * A path with a doubled slash (`//uapi/…`). Chart calls of mojito are built so and have been in use since 2022
   * (sharebook-kr/mojito, mojito/koreainvestment.py: `path = "/uapi…"`, `f"{base_url}/{path}"`), so it is likely taken.
   */
  readonly doubledSlash: 'taken' | 'notFound'
  /**
   * Today's minutes asked for at or before 000000. python-kis asks so for the latest ones (Soju06/python-kis,
   * pykis/api/stock/day_chart.py, `domestic_day_chart` without an end).
   */
  readonly minutesAtMidnight: 'latest' | 'none'
  /**
   * How many calendar days back the minutes of an earlier day go. A public client measured about one year; where it ends, and what is
   * answered beyond, nobody has published: here nothing is listed.
   */
  readonly pastMinutesBack: number
  /**
   * Prices of minutes of a day before a split or new shares: as they were traded, or as of the share of today. The call has no parameter for
   * it, unlike the chart of days, and no text says which.
   */
  readonly pastMinutePrices: 'adjusted' | 'traded'
  /**
   * The balance by issue (INQR_DVSN 02). The broker's notice of 2026-02-10 says it is refused from that day's open on, and
   * that 01 is to be asked (quoted in Soju06/python-kis, pull request 82; refusals seen there in issue 81).
   */
  readonly balanceByIssue: 'answered' | 'refused'
  /**
   * Which days daily-ccld lists together, else KIER2570. `refused`: an open day on its own, and nothing more.
   * `refusedOverHolidays`: what neither begins nor ends on a closed day. Two public projects were refused from the order's day
   * to today, one of them with a holiday as last day, and were answered for the exact day (2026); a third one read a month.
   */
  readonly dayRanges: 'answered' | 'refused' | 'refusedOverHolidays'
  /**
   * A list of orders that is not the same any more when its next page is asked for ends in SYDB0050. Several public projects
   * met it while they paged through lists of orders, most of them of overseas orders; all of them ask again.
   */
  readonly changedListBreaks: boolean
  /** daily-ccld lists every order twice over its pages. One public project, real account: 32 rows, 16 orders. */
  readonly rowsTwice: boolean
  /**
   * What daily-ccld shows as the price (`ord_unpr`) of an order that was sent without one, once it has fills. A filled market
   * order on paper was measured at 0 (2026-08-05); of best orders nobody has told.
   */
  readonly unpricedShownAt: 'zero' | 'paidPrice'
  /**
   * From when a chart of adjusted prices shows the days before a split or new shares as days of the new share. Nobody has published
   * it, and other vendors' charts do either.
   */
  readonly chartAdjustedFrom: 'exDay' | 'dayAfter'
  /**
   * By what a tick shows that its trade is later than another's: STCK_CNTG_HOUR and ACML_VOL, or one of them while the other stands
   * still. The broker's document describes both fields in a word each and promises neither.
   */
  readonly laterTicksShow: 'both' | 'time' | 'volume'
  /**
   * How inquire-price writes that an issue is designated as nothing. `codes`: 55 or 00, and N in each flag, as in the broker's sheet
   * and in recorded replies; `blank`: empty, as other fields without a value are written; `newCode`: a code that is in no table. The
   * sheet has nine codes, and the exchange more designations (KOSDAQ's 투자주의환기종목 has none).
   */
  readonly statusShown: 'codes' | 'blank' | 'newCode'
  /**
   * What the accounts' owners do in the broker's own app. `ordinary`: on two days of three they buy or sell, cancel what
   * rests (a program's order, too), or place something that rests. People who let a program trade still have a phone.
   */
  readonly phone: 'silent' | 'ordinary'
}

export const DEFAULT_ASSUMPTIONS: BrokerAssumptions = {
  callsPerSecond: { real: 18, paper: 1 },
  ledgerCallsPerSecond: 0,
  tokenPauseMs: 60_000,
  olderTokenDies: true,
  pingPongMs: [5_000, 60_000],
  pongTimeoutMs: 100_000,
  socketReleaseMs: 0,
  replyTime: 'dated',
  idleConnectionMs: 75_000,
  keyInUse: 'refuse',
  expiryNotice: false,
  expiredShownAs: 'rejected',
  expiredShownFrom: 'evening',
  cancelOnOtherVenue: 'refuse',
  cancelledShownOn: 'original',
  queryNumbers: 'zeros',
  noOriginal: 'zeros',
  oldIdsReachNxt: false,
  sorAfterMarket: true,
  afterMarketRefusedAs: 'hours',
  overheatedElsewhere: 'barred',
  venuePrices: 'shared',
  nxtStopRefusedAs: 'untradable',
  baseShownFrom: '08:00',
  baseRounding: 'nearest',
  openingAuctionFrom: '08:20',
  lateDayEnds: '20:00',
  noticeKey: 'given',
  noticeCoversOtherKeys: false,
  doubledSlash: 'taken',
  minutesAtMidnight: 'latest',
  pastMinutesBack: 365,
  pastMinutePrices: 'adjusted',
  balanceByIssue: 'refused',
  dayRanges: 'refusedOverHolidays',
  changedListBreaks: true,
  rowsTwice: false,
  unpricedShownAt: 'zero',
  chartAdjustedFrom: 'exDay',
  laterTicksShow: 'both',
  statusShown: 'codes',
  phone: 'silent',
  taxTruncation: 'together',
  etfIncomeTax: 'none',
}

/**
 * A customer of less than three days: 3 calls per second on the real host, since 2026-04-03. The broker's notice to new
 * customers of 2026-03-20, as third parties quote it.
 */
export const NEW_CUSTOMER = {
  callsPerSecond: { ...DEFAULT_ASSUMPTIONS.callsPerSecond, real: 3 },
} as const satisfies Partial<BrokerAssumptions>

/** Ms ranges, drawn anew each time; taken from measurements of the broker. */
export interface Latency {
  /** Order call: from request to reply. */
  readonly orderReply: readonly [number, number]
  /** Every other call. */
  readonly reply: readonly [number, number]
  /** From the broker's acceptance to the exchange. */
  readonly exchange: readonly [number, number]
  /** Until a new order shows in queries. */
  readonly listing: readonly [number, number]
  /** Until a fill shows in the balance. */
  readonly balance: readonly [number, number]
  readonly notice: readonly [number, number]
}

export const MEASURED_LATENCY: Latency = {
  orderReply: [50, 200],
  reply: [20, 60],
  exchange: [10, 40],
  listing: [1_100, 5_300],
  balance: [0, 5_000],
  notice: [5, 30],
}

export const NO_LATENCY: Latency = {
  orderReply: [0, 0],
  reply: [0, 0],
  exchange: [0, 0],
  listing: [0, 0],
  balance: [0, 0],
  notice: [0, 0],
}
