import type { BrokerQueries } from '@digger/engine'
import type { KisCandle } from '@digger/kis'
import { type Bar, dayNumber, dayOf } from './bar.ts'
import type { Range } from './parts.ts'

/** Rows of one window of the broker's chart. */
const WINDOW_ROWS = 100

/** Calls that these days may take: windows of 100 bars, and one look whether anything is left before them. */
export const callsFor = ({ from, to }: Range): number => {
  const weekdays = Math.ceil(((dayNumber(to) - dayNumber(from) + 1) * 5) / 7) + 2
  return Math.ceil(weekdays / WINDOW_ROWS) + 1
}

export type DayQueries = Pick<BrokerQueries, 'dayCandles'>

/** Days as adjusted, each with its close as it was traded. */
export async function readBoth(
  kis: DayQueries,
  code: string,
  { from, to }: Range,
  wait: (calls: number) => Promise<void>,
) {
  const calls = callsFor({ from, to })
  await wait(calls)
  const adjusted = await kis.dayCandles(code, from, to)
  if (adjusted.length === 0) return []
  await wait(calls)
  const traded = new Map((await kis.dayCandles(code, from, to, 'original')).map(({ day, close }) => [day, close]))
  return adjusted.map((candle) => dayBar(candle, traded.get(candle.day)))
}

/** New days, of which the share is that of today. */
export async function readAdjusted(
  kis: DayQueries,
  code: string,
  range: Range,
  wait: (calls: number) => Promise<void>,
) {
  await wait(callsFor(range))
  return (await kis.dayCandles(code, range.from, range.to)).map((candle) => dayBar(candle))
}

const dayBar = ({ day, open, high, low, close, volume }: KisCandle, traded = close): Bar => ({
  at: dayNumber(day),
  open,
  high,
  low,
  close,
  volume,
  traded,
})

const PRICES = ['open', 'high', 'low', 'close'] as const

export interface Compared {
  /** The share has become another one: all that is kept is at prices that nobody shows any more. */
  readonly isAdjusted: boolean
  /** Days that are new, and single ones that the broker has corrected. */
  readonly news: readonly Bar[]
}

/**
 * Holds days against what was stored of them. A new share changes nearly all of them; what is corrected late, as by a trade that was
 * cancelled, single ones.
 */
export function compare(stored: readonly Bar[], again: readonly Bar[]): Compared {
  const known = new Map(stored.map((bar) => [bar.at, bar]))
  const both = again.filter(({ at }) => known.has(at))
  const changed = both.filter((bar) => PRICES.some((price) => known.get(bar.at)?.[price] !== bar[price]))
  const news = again.filter((bar) => !known.has(bar.at) || changed.includes(bar))
  return { isAdjusted: changed.length * 2 > both.length, news }
}

/**
 * What is to be read of both prices, since it was traded at prices of an earlier share: there the adjusted close is not the traded one.
 * Null: nothing. `news`: oldest first.
 */
export function earlierShare(stored: readonly Bar[], news: readonly Bar[]): Range | null {
  const earlier = new Set(stored.filter(({ close, traded }) => close !== traded).map(({ at }) => at))
  const days = news.filter(({ at }) => earlier.has(at)).map(({ at }) => dayOf(at))
  const [from, to] = [days[0], days.at(-1)]
  return from === undefined || to === undefined ? null : { from, to }
}
