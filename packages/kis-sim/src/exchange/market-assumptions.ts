import type { Decisions } from '../runtime/decisions.ts'
import type { HourAssumptions } from './market-hours.ts'

/** What nobody outside knows for sure of how the exchanges and the broker's way to them treat an issue. */
export interface MarketAssumptions {
  /**
   * Whether KRX and NXT have prices of their own: NXT then runs some seconds and up to two ticks beside KRX, with a fifth of
   * its depth, and at times with none. They have in truth; a record of days holds one price only, and a price set by hand
   * means both, so `shared` is the default.
   */
  readonly venuePrices: 'shared' | 'own'
  /**
   * When quotes begin to show the base, the limits and the close that count today; until then they show those of the day
   * before. Nobody has published it: no later than NXT's first trade would be useful, and notes of the public say that the
   * price of the day before is shown until the morning. The exchange judges orders by the new limits from midnight on.
   */
  readonly baseShownFrom: '00:00' | '08:00' | '08:30'
  /** How the base of an ex-rights day or a split comes on the grid. The base and its limits decide which orders are taken. */
  readonly baseRounding: 'down' | 'nearest' | 'up'
  /** SOR orders are taken in the KRX after-market. */
  readonly sorAfterMarket: boolean
  /**
   * What an order is refused with whose issue is not in KRX's after-market. No text has been published: the hour, or the
   * issue.
   */
  readonly afterMarketRefusedAs: 'hours' | 'issue'
  /**
   * An issue under 단기과열 trades every half hour on KRX. Whether NXT and KRX's after-market take it meanwhile is in no
   * text found; NXT stops other designated issues.
   */
  readonly overheatedElsewhere: 'barred' | 'traded'
  /**
   * What an order to NXT is refused with while NXT has stopped its issue. No text has been published: the one for an issue
   * NXT does not list, or one that speaks of a halt, which a client may take for a halt everywhere.
   */
  readonly nxtStopRefusedAs: 'untradable' | 'halted'
}

export type MarketAnswers = Decisions<MarketAssumptions & HourAssumptions>
