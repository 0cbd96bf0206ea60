import { tickAbove, tickBelow, tickSize } from '@digger/core'
import { streamKey, unit } from '../runtime/random.ts'
import type { SimIssue } from './issue.ts'
import type { VenueName } from './venue.ts'
import type { Print } from './tape.ts'

export interface WalkOptions {
  /** Steps of the market per issue and second. */
  readonly ticksPerSecond: number
  /** Usual daily move as a share of the price; 0.03 is 3 %. */
  readonly volatility: number
  /** Won of a middling trade. */
  readonly tradeWon: number
  /** Most trades of one step; they travel in one frame. */
  readonly burst: number
}

export const DEFAULT_WALK: WalkOptions = { ticksPerSecond: 1, volatility: 0.03, tradeWon: 3_000_000, burst: 3 }

const TRADING_SECONDS = 6.5 * 3_600

/** A far wanderer is drawn back to the day's base, so that a long run does not end at a price limit. */
const PULL = 1.5

/** One step of an issue's own random walk on the tick grid: now and then the quotes move a tick, then somebody trades. */
export function walkStep(issue: SimIssue, venue: VenueName, seed: number, options: WalkOptions, at: number): Print[] {
  const quotes = issue.quotes[venue]
  const key = streamKey(seed, issue.listing.code, 'walk', Math.floor(issue.step / 1e6))
  const draw = (n: number): number => unit(key, (issue.step % 1e6) * 8 + n)
  const { kind } = issue.listing
  const { lower, upper } = issue.limits
  const tick = tickSize(quotes.bid, kind)
  const ticksPerDay = (options.volatility * quotes.bid) / tick
  const moves = Math.min(0.9, ticksPerDay ** 2 / (TRADING_SECONDS * options.ticksPerSecond))
  if (draw(0) < moves) {
    const up = 0.5 - (PULL * (quotes.bid - issue.base)) / issue.base / 2
    if (draw(1) < up) {
      if (tickAbove(quotes.ask, kind) <= upper) [quotes.bid, quotes.ask] = [quotes.ask, tickAbove(quotes.ask, kind)]
    } else if (tickBelow(quotes.bid, kind) >= lower)
      [quotes.bid, quotes.ask] = [tickBelow(quotes.bid, kind), quotes.bid]
  }
  // Three in ten steps carry several trades, as measured on liquid issues.
  const trades = draw(2) < 0.29 ? 1 + Math.ceil(draw(3) * (options.burst - 1)) : 1
  const aggressor = draw(4) < 0.5 ? 'buy' : 'sell'
  const price = aggressor === 'buy' ? quotes.ask : quotes.bid
  issue.step++
  return Array.from({ length: trades }, (_, n) => {
    // Trade sizes are skewed: many small, few large.
    const share = 0.05 + 3 * unit(key ^ n, (issue.step % 1e6) * 8 + 5) ** 3
    return { price, count: Math.max(1, Math.round((options.tradeWon * share) / price)), aggressor, at }
  })
}
