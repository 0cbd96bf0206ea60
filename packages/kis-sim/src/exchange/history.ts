import { addDays, floorToTick } from '@digger/core'
import { streamKey, unit } from '../runtime/random.ts'
import type { DayBar, SimIssue } from './issue.ts'
import { MarketHours } from './market-hours.ts'
import type { Listing } from './universe.ts'

/** Weekdays of history before the market began: ten years and a little. */
const DAYS = 10 * 261 + 20

/** Everyday moves of the days before the market began: up to this share of the price. */
const MOVE = 0.04

const REAL_DAYS = new MarketHours({ hours: 'krx' })

/** What the made-up days of a listing follow from. */
interface Past {
  readonly firstDay: string
  readonly seed: number
  readonly closedDays: string
}

/** The last that was made of each listing: another market with the same seed has the same past. */
const invented = new WeakMap<Listing, Past & { readonly bars: readonly DayBar[] }>()

/** Days before `firstDay`, oldest first, made up from the seed so that the last one closes at the first base price. */
function before(listing: Listing, firstDay: string, seed: number, hours: MarketHours): readonly DayBar[] {
  // Weekends and holidays had no trade, also where the pretend market itself never closes.
  const days = hours.always ? REAL_DAYS : hours
  const { closedDays } = days
  const known = invented.get(listing)
  if (known?.firstDay === firstDay && known.seed === seed && known.closedDays === closedDays) return known.bars
  const { code, base, kind, listed = '' } = listing
  const key = streamKey(seed, code, 'history')
  const grid = (price: number): number => Math.max(1, floorToTick(price, kind))
  const bars: DayBar[] = []
  let close = base
  let day = firstDay
  for (let n = 0; n < DAYS; n++) {
    do day = addDays(day, -1)
    while (!days.isOpenDay(day))
    if (day < listed) break
    const draw = (i: number): number => unit(key, n * 8 + i)
    const open = grid(close * (1 + MOVE * (draw(0) - 0.5)))
    const high = Math.max(open, close, grid(Math.max(open, close) * (1 + (MOVE / 3) * draw(1))))
    const low = Math.min(open, close, grid(Math.min(open, close) * (1 - (MOVE / 3) * draw(2))))
    const volume = Math.round((2e10 * (0.3 + draw(3))) / close)
    const bar = { day, open, high, low, close, volume, amount: Math.round((volume * (high + low + close)) / 3) }
    bars.push(asTraded(bar, listing))
    close = grid(open * (1 + MOVE * 0.5 * (draw(4) - 0.5)))
  }
  bars.reverse()
  invented.set(listing, { firstDay, seed, closedDays, bars })
  return bars
}

/** In prices and counts of the share of the day. */
function asTraded(bar: DayBar, { splits = [], kind }: Listing): DayBar {
  const ratio = splits.reduce((product, split) => (bar.day < split.day ? product * split.ratio : product), 1)
  if (ratio === 1) return bar
  const { day, open, high, low, close, volume, amount } = bar
  const price = (won: number): number => floorToTick(won * ratio, kind)
  return {
    day,
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: Math.round(volume / ratio),
    amount,
  }
}

/** Every finished day, oldest first, and today so far when it traded. */
export function dayBars(issue: SimIssue, today: string, firstDay: string, seed: number, hours: MarketHours): DayBar[] {
  const { UN, KRX } = issue.tapes
  const bars = [...before(issue.listing, firstDay, seed, hours), ...issue.history]
  if (UN.volume > 0) {
    const { open, high, low, volume, amount } = UN
    // Of a morning on which NXT alone has traded, KRX has no price of today.
    bars.push({ day: today, open, high, low, close: KRX.volume > 0 ? KRX.last : UN.last, volume, amount })
  }
  return bars
}
