import type { ClockMode } from '../runtime/clock.ts'
import type { Candle } from '../exchange/replay.ts'
import type { WalkOptions } from '../exchange/walk.ts'
import type { SimAccount } from '../ledger/facts.ts'
import type { Latency, BrokerAssumptions } from './assumptions.ts'
import type { Happening } from '../exchange/happening.ts'
import type { MarketCalendar } from '../exchange/market-hours.ts'
import type { Listing } from '../exchange/universe.ts'

interface ReplayOptions {
  /** CSV or CSV.GZ: `date,code,name,market,open,high,low,close,volume,amount`. */
  readonly file?: string
  readonly candles?: readonly Candle[]
  /** Which codes of the record are listed. Default: those of the universe. */
  readonly codes?: readonly string[]
  /** Maximum number of prices per replayed day. Default 400. */
  readonly steps?: number
}

/** A call that waits to be carried out. */
export interface PacedCall {
  readonly appKey: string
  readonly path: string
  /** Parameters as they came, of the address or the body. */
  readonly text: string
}

/** Makes the order of calls and notices reproducible: two connections have none between them. */
export interface Pace {
  /** Resolves when the call may be carried out. */
  enter(call: PacedCall): Promise<void>
  /** The reply is out; resolves when the notices of what the call did may follow. */
  replied(): Promise<void>
}

export interface SimOptions {
  /** 0: any free one. Default 18443. REST, socket and control share it; always on 127.0.0.1. */
  readonly port?: number
  /** One number decides prices, sizes, delays and fault draws. Default 1. */
  readonly seed?: number
  /** `always`: one endless session, for demonstrations and tests. Default `krx`. */
  readonly hours?: 'always' | 'krx'
  /** Default real time. */
  readonly clock?: ClockMode
  /**
   * In whose seconds the broker answers and counts calls where time runs faster: real ones (the default, for programs
   * that live in real time), or the market's, for a customer who lives in them (where it runs slower, real ones again).
   */
  readonly brokerTime?: 'real' | 'market'
  readonly universe?: readonly Listing[]
  readonly replay?: ReplayOptions
  /** Call, token and registration limits. Default enforced. */
  readonly limits?: 'enforced' | 'off'
  /** `measured`: as known from the broker. `none`: everything at once. Default measured in real time, none otherwise. */
  readonly latency?: 'measured' | 'none' | Partial<Latency>
  /** Layout of tick and book frames since 2026-09-14, or before. Default current. */
  readonly wire?: 'current' | 'legacy'
  /** Layout of execution notices: 26 fields, or 23 as before NXT. */
  readonly noticeFields?: 23 | 26
  /** Orders on a page of a list. Default the broker's (100 on real, 15 on paper); fewer bring out what happens between two pages. */
  readonly rowsPerPage?: number
  /** Admits customers' calls one by one, in an order of its own. Default: each as it comes. */
  readonly pace?: Pace
  /** Folder that stores accounts, orders and prices across restarts. Default: nothing is saved. */
  readonly stateDir?: string
  /** Folder of `npm run doctor -- --archive`: calls that are in it are answered from it. */
  readonly archive?: string
  /** Default: ten real accounts with demo credentials and 100 million won each. */
  readonly accounts?: readonly SimAccount[]
  /** Random price walk; `off`: prices move only when set or replayed. Default on in real time, off otherwise. */
  readonly walk?: Partial<WalkOptions> | 'off'
  /** Won the market itself offers at each price level. Default 100 million. */
  readonly levelWon?: number
  /** Weekdays without trading and days with hours of their own, beside those the exchange is known to have. */
  readonly calendar?: Pick<MarketCalendar, 'closed' | 'kinds'>
  /** What befalls the market, each at its moment: issues leave NXT, are halted, pay dividends, … */
  readonly happenings?: readonly Happening[]
  /** Changes to what is assumed of the broker, its calls per second among them. */
  readonly assumptions?: Partial<BrokerAssumptions>
}
