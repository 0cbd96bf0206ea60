import { addDays, type Market } from '@digger/core'
import type { Replay } from '../exchange/driver.ts'
import { MarketHours } from '../exchange/market-hours.ts'
import { replayCalendar } from '../exchange/replay-calendar.ts'
import { readCandles } from '../exchange/replay-file.ts'
import type { Candle } from '../exchange/replay.ts'
import { UNIVERSE, type Listing } from '../exchange/universe.ts'
import type { SimOptions } from './options.ts'

const DEFAULT_STEPS = 400

export function candlesOf({ replay, universe = UNIVERSE }: SimOptions): readonly Candle[] {
  if (!replay) return []
  const codes = new Set(replay.codes ?? universe.map((listing) => listing.code))
  if (replay.file !== undefined) return readCandles(replay.file, codes)
  return (replay.candles ?? []).filter((candle) => codes.has(candle.code))
}

/** The universe, and recorded codes that are not in it. */
export function listingsOf({ universe = UNIVERSE }: SimOptions, candles: readonly Candle[]): readonly Listing[] {
  const known = new Set(universe.map((listing) => listing.code))
  const more = new Map<string, Listing>()
  for (const { code, name, market, open, close } of candles) {
    if (known.has(code) || more.has(code)) continue
    more.set(code, { code, name, market: marketOf(market), kind: 'stock', nxt: false, base: open || close })
  }
  return [...universe, ...more.values()]
}

/** The record also knows `KOSDAQ GLOBAL`. */
const marketOf = (name: string): Market => (name.startsWith('KOSDAQ') ? 'KOSDAQ' : name === 'KONEX' ? 'KONEX' : 'KOSPI')

export function calendarOf(
  options: SimOptions,
  candles: readonly Candle[],
  firstDay: string,
): { hours: MarketHours; replay: Replay | null } {
  const { closed = [], kinds = {} } = options.calendar ?? {}
  const plain = { hours: options.hours ?? 'krx', closed, kinds, ...options.assumptions }
  const hours = new MarketHours(plain)
  if (candles.length === 0) return { hours, replay: null }
  const calendar = replayCalendar(candles, firstDay, hours)
  return {
    hours: new MarketHours({ ...plain, closed: [...closed, ...calendar.closed] }),
    replay: { candles, calendar, steps: options.replay?.steps ?? DEFAULT_STEPS },
  }
}

/** The day the money of a trade moves: two business days after it. */
export function settlementDay(day: string, hours: MarketHours): string {
  let due = day
  for (let n = 0; n < 2; n++) {
    do due = addDays(due, 1)
    while (!hours.isOpenDay(due))
  }
  return due
}
