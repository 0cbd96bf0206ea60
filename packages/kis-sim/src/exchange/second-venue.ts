import { kstTime, tickAbove, tickBelow } from '@digger/core'
import { streamKey, unit } from '../runtime/random.ts'
import type { Exchange } from './exchange.ts'
import type { MarketListener } from './listener.ts'
import type { VenueName } from './venue.ts'
import type { SimIssue } from './issue.ts'
import type { Print } from './tape.ts'

/** NXT answers a trade on KRX after 0.2 to 3 seconds, up to two ticks beside its price. */
const LAG_MS: readonly [number, number] = [200, 3_000]
const MAX_TICKS_ASIDE = 2
/** Of the times it answers, how often nobody offers anything there afterwards. */
const EMPTY_SHARE = 0.15
/** Of a trade on KRX, the shares of the one on NXT. */
const VOLUME_SHARE = 0.25

/** Where the venues have prices of their own: NXT runs after KRX, while both are open. */
export class SecondVenue implements MarketListener {
  readonly #exchange: Exchange
  /** Answers on their way, and how many there were. */
  readonly #answering = new Set<SimIssue>()
  readonly #answers = new Map<SimIssue, number>()

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  printed(issue: SimIssue, venue: VenueName, print: Print, expected: boolean): void {
    if (venue !== 'KRX' || expected || this.#answering.has(issue) || !this.#exchange.trading(issue, 'NXT')) return
    const { clock, seed } = this.#exchange.options
    const n = this.#answers.get(issue) ?? 0
    this.#answers.set(issue, n + 1)
    this.#answering.add(issue)
    // The time of day is part of the stream: a restart must not repeat the answers of the morning.
    const key = streamKey(seed, issue.listing.code, 'NXT', kstTime(print.at), n)
    const [from, to] = LAG_MS
    clock.after(from + (to - from) * unit(key, 0), () => {
      this.#answering.delete(issue)
      if (this.#exchange.trading(issue, 'NXT')) this.#answer(issue, print, key)
    })
  }

  #answer(issue: SimIssue, { price, count, aggressor }: Print, key: number): void {
    this.#exchange.options.assumed.decide('venuePrices')
    const quotes = issue.quotes.NXT
    const aside = Math.floor(unit(key, 1) * (2 * MAX_TICKS_ASIDE + 1)) - MAX_TICKS_ASIDE
    const at = moved(issue, price, aside)
    quotes.isEmpty = unit(key, 2) < EMPTY_SHARE
    if (quotes.isEmpty) {
      this.#exchange.requote(issue, 'NXT', at)
      return
    }
    const shares = Math.max(1, Math.round(count * VOLUME_SHARE))
    this.#exchange.market(issue, 'NXT', [{ price: at, count: shares, aggressor, at: this.#exchange.now }])
  }
}

/** So many ticks above or below a price, within the day's limits. */
function moved(issue: SimIssue, price: number, ticks: number): number {
  const step = ticks > 0 ? tickAbove : tickBelow
  let at = price
  for (let n = 0; n < Math.abs(ticks); n++) at = step(at, issue.listing.kind)
  return Math.min(issue.limits.upper, Math.max(issue.limits.lower, at))
}
