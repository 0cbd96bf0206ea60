import type { Book as AccountBook } from '@digger/core'
import type { Candle, Listing, PacedCall, Sim, SimAccount, SimOptions } from '@digger/kis-sim'
import type { FillRule, ShadowState } from '@digger/shadow'
import type { ReplaySettings } from './settings.ts'

export interface ReplayPlan {
  /** Only candles of the wanted codes, in any order. */
  readonly candles: readonly Candle[]
  readonly settings: ReplaySettings
  readonly seed: number
  /** One day of one stock has at most so many prices. */
  readonly steps: number
  /** Cash in the account before the first day, won. */
  readonly cash: number
  /** What is assumed of the broker. Default: what is likeliest. */
  readonly assumptions?: SimOptions['assumptions']
  /** What befalls the market. Default: nothing. */
  readonly happenings?: SimOptions['happenings']
  /** Stocks that NXT trades, too; with any the owner uses every session. Default: none. */
  readonly onNxt?: readonly string[]
  /**
   * From this time on (HHMMSS) the broker refuses its list of orders until the next morning, on every day but the last: what
   * came of the day's orders is found in a list of several days.
   */
  readonly listsFailFrom?: string
  /** Default: on every day but the last. */
  readonly listsFailOn?: readonly string[]
  /** Orders on a page of a list. Default: as many as the broker's. */
  readonly rowsPerPage?: number
  /** Listed beside those of the record, or in their place. */
  readonly listings?: readonly Listing[]
  /** Other accounts at the broker, which the server does not know. */
  readonly strangers?: readonly SimAccount[]
  /** By how much the server's clock is ahead of the broker's, ms. Default: not at all. */
  readonly clockAheadMs?: number
  /** Times of the morning (HHMMSS) with a timer event of their own. Default: none before 08:40 but for the day's approval key. */
  readonly mornings?: readonly string[]
  /** Times of the evening (HHMMSS) at which the server looks, too. Default: it sleeps from ten past the close to the morning. */
  readonly evenings?: readonly string[]
  /** Other instants at which it looks, between one recorded day and the next, epoch ms. */
  readonly looks?: readonly number[]
  /**
   * Each opening price trades once more, some seconds later. A record has one trade where there were thousands, and the first one
   * after a new connection, which every morning brings, decides nothing. Default: it trades once.
   */
  readonly openTwice?: boolean
  /** Nothing is sent: by this rule orders count as filled. Default: everything is. */
  readonly shadow?: FillRule
  readonly onDay?: (day: string, ticks: number) => void
  /** What the account's owner does ten minutes after each open. Default: nothing. */
  readonly owner?: (desk: Desk, day: string) => Promise<void>
  /** Sees each trade of the exchanges. */
  readonly onPrint?: (print: Printed) => void
  /** Happens as a call of the server's is let in, before it is carried out. */
  readonly onCall?: (sim: Sim, call: PacedCall) => void
  /** Opens a line of its own between server and broker. Default: none. */
  readonly line?: (brokerUrl: string) => Promise<Line>
}

/** What an owner has before him. */
export interface Desk {
  /** Of what is only rehearsed; null: nothing is. */
  readonly rehearsed: () => ShadowState | null
  readonly sim: Sim
  readonly account: string
  book(): AccountBook
  /** One call of the product's; throws when it is refused. */
  call(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object): Promise<unknown>
}

/** A trade of one exchange, and the last price of the other. */
export interface Printed {
  readonly code: string
  readonly venue: 'KRX' | 'NXT'
  readonly price: number
  readonly otherPrice: number
  readonly at: number
}

export interface Line {
  readonly url: string
  readonly wsUrl: string
  close(): Promise<void>
}
