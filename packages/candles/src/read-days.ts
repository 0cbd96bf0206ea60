import type { BrokerQueries } from '@digger/engine'
import type { KisCandle } from '@digger/kis'
import { type Bar, dayNumber } from './bar.ts'
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

/** Whether the broker has given these days other prices since: the share has become another one. */
export function hasAdjusted(stored: readonly Bar[], again: readonly Bar[]): boolean {
  const known = new Map(stored.map((bar) => [bar.at, bar]))
  return again.some((bar) => {
    const before = known.get(bar.at)
    if (before === undefined) return false
    return (['open', 'high', 'low', 'close'] as const).some((price) => before[price] !== bar[price])
  })
}
