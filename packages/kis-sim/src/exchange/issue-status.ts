import type { Listing, Warning } from './universe.ts'

/** Whoever says that an issue stands still: a happening, the record of a day, a hand. Several may say so at a time. */
type Cause = object | string

/** ISCD_STAT_CLS_CODE, from the broker's table of codes. */
const CODES = {
  usual: '55',
  overheated: '59',
  halted: '58',
  administrative: '51',
  risk: '52',
  warning: '53',
  caution: '54',
  // The table has no code for the last days of an issue: 00 is "other", and a flag beside it tells (`sltr_yn`).
  liquidation: '00',
} as const

/** What an issue may do today, as far as it is not a matter of the hour. */
export class IssueStatus {
  readonly #listing: Listing
  /** NXT has it in its list of today. */
  inNxtList: boolean
  /** Trading on NXT is stopped; KRX goes on. */
  readonly nxtStops = new Set<Cause>()
  /** Trading is stopped everywhere. */
  readonly halts = new Set<Cause>()
  /** The whole market stands still: a circuit breaker. No field of an issue says so. */
  readonly breakers = new Set<Cause>()
  /** Orders collect, after a halt or a breaker, for one price at which trading goes on. */
  readonly reopenings = new Set<Cause>()
  /** In the regular session of KRX orders only collect, for one price every half hour (단기과열). */
  readonly singlePrice = new Set<Cause>()
  readonly afterMarketBars = new Set<Cause>()
  warning: Warning | null
  /** It has gone into another share: nobody lists it any more. */
  delisted = false

  constructor(listing: Listing) {
    this.#listing = listing
    this.inNxtList = listing.nxt
    this.warning = listing.warned ?? null
  }

  get halted(): boolean {
    return this.halts.size > 0
  }

  /** Nothing trades, nothing new is taken. */
  get standsStill(): boolean {
    return this.halted || this.breakers.size > 0
  }

  /** Something but the hour decides whether it trades. */
  get isHindered(): boolean {
    return this.standsStill || this.reopenings.size > 0 || this.singlePrice.size > 0 || this.nxtStops.size > 0
  }

  get overheated(): boolean {
    return this.singlePrice.size > 0
  }

  /** Caution alone changes nothing for a day. */
  get isRestricted(): boolean {
    return this.warning !== null && this.warning !== 'caution'
  }

  /** NXT lists it, and may have stopped it. It drops issues under administration (NXT's own rules). */
  get onNxt(): boolean {
    return this.inNxtList && this.warning !== 'administrative' && this.warning !== 'liquidation'
  }

  /** NXT stops an issue under an investment warning as long as that lasts (NXT's own rules). */
  get stoppedOnNxt(): boolean {
    return this.nxtStops.size > 0 || this.isRestricted
  }

  /**
   * KRX's after-market has the issues of its two big boards, without ETFs and ETNs, and without those under a warning or
   * administration: the exchange's notice of September 2026; 2,459 of about 2,760 issues on 2026-09-09.
   */
  get inAfterMarket(): boolean {
    const { kind, market } = this.#listing
    return kind !== 'etf' && market !== 'KONEX' && !this.isRestricted && this.afterMarketBars.size === 0
  }

  /** As the broker's fields show it in one code. */
  get code(): string {
    if (this.halted) return CODES.halted
    return CODES[this.warning ?? (this.overheated ? 'overheated' : 'usual')]
  }
}
