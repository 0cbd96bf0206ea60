import { kstDay, kstTime } from '@digger/core'
import { CHANNELS } from '@digger/kis'
import type { MarketListener } from '../exchange/listener.ts'
import type { VenueName } from '../exchange/venue.ts'
import type { SimIssue, TapeVenue } from '../exchange/issue.ts'
import type { Level } from '../exchange/quotes.ts'
import type { Print } from '../exchange/tape.ts'
import type { Broker } from '../broker/broker.ts'
import { bookRecord, frame, tickRecord, type TickContext } from './frames.ts'
import type { Hub } from './hub.ts'

const MARKET_CLASS: Readonly<Record<string, string>> = {
  preMarket: '1',
  openingAuction: '1',
  closingAuction: '5',
  afterAuction: '3',
  afterMarket: '3',
}

interface Levels {
  readonly asks: readonly Level[]
  readonly bids: readonly Level[]
}

/** Publishes what the market does as frames, to the sessions registered for them. */
export class Feed implements MarketListener {
  readonly #broker: Broker
  readonly #hub: Hub
  /** Records of the trades since the last `settled`, by channel. */
  readonly #records: Record<TapeVenue, string[]> = { KRX: [], NXT: [], UN: [] }
  #levels: Partial<Record<TapeVenue, Levels>> = {}

  constructor(broker: Broker, hub: Hub) {
    this.#broker = broker
    this.#hub = hub
  }

  printed(issue: SimIssue, venue: VenueName, print: Print, expected: boolean): void {
    for (const channel of channelsOf(issue, venue)) {
      if (!this.#hub.listeners(CHANNELS.tick[channel], issue.listing.code)) continue
      const phase = this.#broker.exchange.phaseOf(issue, venue).name
      const collects = issue.collectsOn(venue, phase)
      const hourClass = !expected ? '0' : collects ? 'C' : phase === 'openingAuction' ? 'B' : 'A'
      const tape = issue.tapes[channel]
      const later = this.#broker.assumed.decide('laterTicksShow')
      const context: TickContext = {
        ...this.#levelsOf(issue, venue, channel),
        best: this.#best(issue, venue, channel),
        issue,
        print,
        hourClass,
        tape,
        time: later === 'volume' ? '090000' : kstTime(print.at),
        volume: later === 'time' ? 0 : tape.volume,
        day: kstDay(print.at),
        marketClass: MARKET_CLASS[phase] ?? '2',
      }
      this.#records[channel].push(tickRecord(context, this.#broker.wire.version))
    }
  }

  settled(issue: SimIssue, venue: VenueName): void {
    const { code } = issue.listing
    for (const channel of channelsOf(issue, venue)) {
      const records = this.#records[channel]
      if (records.length > 0) this.#publishTicks(CHANNELS.tick[channel], code, records)
      records.length = 0
    }
    this.#levels = {}
  }

  quoted(issue: SimIssue, venue: VenueName): void {
    const { code } = issue.listing
    for (const channel of channelsOf(issue, venue)) {
      const book = CHANNELS.book[channel]
      if (!this.#hub.listeners(book, code)) continue
      const collects = issue.collectsOn(venue, this.#broker.exchange.phaseOf(issue, venue).name)
      const quotes = { ...this.#levelsOf(issue, venue, channel), at: this.#broker.clock.now(), collects }
      this.#hub.publish(book, code, frame('0', book, 1, bookRecord(issue, channel, quotes, this.#broker.wire.version)))
    }
    this.#levels = {}
  }

  operation(issue: SimIssue, code: string, only?: VenueName): void {
    const halted = issue.halted || (only === 'NXT' && issue.status.stoppedOnNxt) ? 'Y' : 'N'
    const interrupted = issue.interruptedUntil === null ? 'N' : 'Y'
    const record = [issue.listing.code, halted, '', code, '', '', '', issue.status.code, interrupted, 'N', '1'].join(
      '^',
    )
    for (const trId of only === undefined ? Object.values(CHANNELS.operation) : [CHANNELS.operation[only]])
      this.#hub.publish(trId, issue.listing.code, frame('0', trId, 1, record))
  }

  /** Trades of one burst share a frame; clients written before 2026-09-14 expect one record each. */
  #publishTicks(trId: string, code: string, records: readonly string[]): void {
    if (this.#broker.wire.version === 'current') {
      this.#hub.publish(trId, code, frame('0', trId, records.length, records.join('^')))
      return
    }
    for (const record of records) this.#hub.publish(trId, code, frame('0', trId, 1, record))
  }

  /** Where the venues share one price, the unified market shows that of the trade's venue. */
  #levelsOf(issue: SimIssue, venue: VenueName, channel: TapeVenue): Levels {
    const shown = issue.hasOwnPrices ? channel : 'KRX'
    const levels = this.#levels[shown] ?? {
      asks: issue.shownLevels('buy', channel, venue),
      bids: issue.shownLevels('sell', channel, venue),
    }
    this.#levels[shown] = levels
    return levels
  }

  #best(issue: SimIssue, venue: VenueName, channel: TapeVenue): { ask: number; bid: number } {
    if (!issue.hasOwnPrices) return issue.quotes.KRX
    const { asks, bids } = this.#levelsOf(issue, venue, channel)
    return { ask: asks[0]?.price ?? 0, bid: bids[0]?.price ?? 0 }
  }
}

/**
 * The unified channel is silent for issues that NXT does not trade (measured by a public client). Of one that NXT has stopped
 * for a while nobody has told: silent, too, as the less pleasant answer.
 */
const channelsOf = ({ status }: SimIssue, venue: VenueName): readonly TapeVenue[] =>
  status.onNxt && !status.stoppedOnNxt ? [venue, 'UN'] : [venue]
